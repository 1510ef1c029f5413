// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { createCurrencyValidator } from '../currency.ts';
import { createValidator } from '../runtime.ts';
import type { CurrencyValidator } from '../validator.ts';
import type { IssueNewCardRequest as Shape } from './types.ts';

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.cardProgramme !== void 0 && func0.call(data, "cardProgramme") && typeof data.cardProgramme != "string") {
      let err0 = { instancePath: instancePath + "/cardProgramme", schemaPath: "#/properties/cardProgramme/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.cardDesign !== void 0 && func0.call(data, "cardDesign") && typeof data.cardDesign != "string") {
      let err1 = { instancePath: instancePath + "/cardDesign", schemaPath: "#/properties/cardDesign/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.cardLimitDaily !== void 0 && func0.call(data, "cardLimitDaily")) {
      let data2 = data.cardLimitDaily;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2) && isFinite(data2))) {
        let err2 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.cardLimitMonthly !== void 0 && func0.call(data, "cardLimitMonthly")) {
      let data3 = data.cardLimitMonthly;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3) && isFinite(data3))) {
        let err3 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.cardLimitTransaction !== void 0 && func0.call(data, "cardLimitTransaction")) {
      let data4 = data.cardLimitTransaction;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4) && isFinite(data4))) {
        let err4 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
var collectExact = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (!(key0 === "cardProgramme" || key0 === "cardDesign" || key0 === "cardLimitDaily" || key0 === "cardLimitMonthly" || key0 === "cardLimitTransaction")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.cardProgramme !== void 0 && func0.call(data, "cardProgramme") && typeof data.cardProgramme != "string") {
      let err1 = { instancePath: instancePath + "/cardProgramme", schemaPath: "#/properties/cardProgramme/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.cardDesign !== void 0 && func0.call(data, "cardDesign") && typeof data.cardDesign != "string") {
      let err2 = { instancePath: instancePath + "/cardDesign", schemaPath: "#/properties/cardDesign/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.cardLimitDaily !== void 0 && func0.call(data, "cardLimitDaily")) {
      let data2 = data.cardLimitDaily;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2) && isFinite(data2))) {
        let err3 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.cardLimitMonthly !== void 0 && func0.call(data, "cardLimitMonthly")) {
      let data3 = data.cardLimitMonthly;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3) && isFinite(data3))) {
        let err4 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.cardLimitTransaction !== void 0 && func0.call(data, "cardLimitTransaction")) {
      let data4 = data.cardLimitTransaction;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4) && isFinite(data4))) {
        let err5 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}
var collectTolerantGBP = validate22;
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.cardProgramme !== void 0 && func0.call(data, "cardProgramme") && typeof data.cardProgramme != "string") {
      let err0 = { instancePath: instancePath + "/cardProgramme", schemaPath: "#/properties/cardProgramme/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.cardDesign !== void 0 && func0.call(data, "cardDesign") && typeof data.cardDesign != "string") {
      let err1 = { instancePath: instancePath + "/cardDesign", schemaPath: "#/properties/cardDesign/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.cardLimitDaily !== void 0 && func0.call(data, "cardLimitDaily")) {
      let data2 = data.cardLimitDaily;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2) && isFinite(data2))) {
        let err2 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
      if (typeof data2 == "number" && isFinite(data2) && (data2 > 1e5 || isNaN(data2))) {
        let err3 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 } };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.cardLimitMonthly !== void 0 && func0.call(data, "cardLimitMonthly")) {
      let data3 = data.cardLimitMonthly;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3) && isFinite(data3))) {
        let err4 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
      if (typeof data3 == "number" && isFinite(data3) && (data3 > 25e4 || isNaN(data3))) {
        let err5 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/maximum", keyword: "maximum", params: { comparison: "<=", limit: 25e4 } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.cardLimitTransaction !== void 0 && func0.call(data, "cardLimitTransaction")) {
      let data4 = data.cardLimitTransaction;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4) && isFinite(data4))) {
        let err6 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
      if (typeof data4 == "number" && isFinite(data4) && (data4 > 1e5 || isNaN(data4))) {
        let err7 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 } };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
  } else {
    let err8 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
  }
  return validate22.errors = vErrors, errors === 0;
}
var collectExactGBP = validate23;
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (!(key0 === "cardProgramme" || key0 === "cardDesign" || key0 === "cardLimitDaily" || key0 === "cardLimitMonthly" || key0 === "cardLimitTransaction")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.cardProgramme !== void 0 && func0.call(data, "cardProgramme") && typeof data.cardProgramme != "string") {
      let err1 = { instancePath: instancePath + "/cardProgramme", schemaPath: "#/properties/cardProgramme/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.cardDesign !== void 0 && func0.call(data, "cardDesign") && typeof data.cardDesign != "string") {
      let err2 = { instancePath: instancePath + "/cardDesign", schemaPath: "#/properties/cardDesign/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.cardLimitDaily !== void 0 && func0.call(data, "cardLimitDaily")) {
      let data2 = data.cardLimitDaily;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2) && isFinite(data2))) {
        let err3 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
      if (typeof data2 == "number" && isFinite(data2) && (data2 > 1e5 || isNaN(data2))) {
        let err4 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.cardLimitMonthly !== void 0 && func0.call(data, "cardLimitMonthly")) {
      let data3 = data.cardLimitMonthly;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3) && isFinite(data3))) {
        let err5 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
      if (typeof data3 == "number" && isFinite(data3) && (data3 > 25e4 || isNaN(data3))) {
        let err6 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/maximum", keyword: "maximum", params: { comparison: "<=", limit: 25e4 } };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.cardLimitTransaction !== void 0 && func0.call(data, "cardLimitTransaction")) {
      let data4 = data.cardLimitTransaction;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4) && isFinite(data4))) {
        let err7 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
      if (typeof data4 == "number" && isFinite(data4) && (data4 > 1e5 || isNaN(data4))) {
        let err8 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 } };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
  } else {
    let err9 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
  }
  return validate23.errors = vErrors, errors === 0;
}
var collectTolerantEUR = validate24;
function validate24(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.cardProgramme !== void 0 && func0.call(data, "cardProgramme") && typeof data.cardProgramme != "string") {
      let err0 = { instancePath: instancePath + "/cardProgramme", schemaPath: "#/properties/cardProgramme/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.cardDesign !== void 0 && func0.call(data, "cardDesign") && typeof data.cardDesign != "string") {
      let err1 = { instancePath: instancePath + "/cardDesign", schemaPath: "#/properties/cardDesign/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.cardLimitDaily !== void 0 && func0.call(data, "cardLimitDaily")) {
      let data2 = data.cardLimitDaily;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2) && isFinite(data2))) {
        let err2 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
      if (typeof data2 == "number" && isFinite(data2) && (data2 > 115e3 || isNaN(data2))) {
        let err3 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/maximum", keyword: "maximum", params: { comparison: "<=", limit: 115e3 } };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.cardLimitMonthly !== void 0 && func0.call(data, "cardLimitMonthly")) {
      let data3 = data.cardLimitMonthly;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3) && isFinite(data3))) {
        let err4 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
      if (typeof data3 == "number" && isFinite(data3) && (data3 > 29e4 || isNaN(data3))) {
        let err5 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/maximum", keyword: "maximum", params: { comparison: "<=", limit: 29e4 } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.cardLimitTransaction !== void 0 && func0.call(data, "cardLimitTransaction")) {
      let data4 = data.cardLimitTransaction;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4) && isFinite(data4))) {
        let err6 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
      if (typeof data4 == "number" && isFinite(data4) && (data4 > 115e3 || isNaN(data4))) {
        let err7 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/maximum", keyword: "maximum", params: { comparison: "<=", limit: 115e3 } };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
  } else {
    let err8 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
  }
  return validate24.errors = vErrors, errors === 0;
}
var collectExactEUR = validate25;
function validate25(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (!(key0 === "cardProgramme" || key0 === "cardDesign" || key0 === "cardLimitDaily" || key0 === "cardLimitMonthly" || key0 === "cardLimitTransaction")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.cardProgramme !== void 0 && func0.call(data, "cardProgramme") && typeof data.cardProgramme != "string") {
      let err1 = { instancePath: instancePath + "/cardProgramme", schemaPath: "#/properties/cardProgramme/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.cardDesign !== void 0 && func0.call(data, "cardDesign") && typeof data.cardDesign != "string") {
      let err2 = { instancePath: instancePath + "/cardDesign", schemaPath: "#/properties/cardDesign/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.cardLimitDaily !== void 0 && func0.call(data, "cardLimitDaily")) {
      let data2 = data.cardLimitDaily;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2) && isFinite(data2))) {
        let err3 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
      if (typeof data2 == "number" && isFinite(data2) && (data2 > 115e3 || isNaN(data2))) {
        let err4 = { instancePath: instancePath + "/cardLimitDaily", schemaPath: "#/properties/cardLimitDaily/maximum", keyword: "maximum", params: { comparison: "<=", limit: 115e3 } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.cardLimitMonthly !== void 0 && func0.call(data, "cardLimitMonthly")) {
      let data3 = data.cardLimitMonthly;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3) && isFinite(data3))) {
        let err5 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
      if (typeof data3 == "number" && isFinite(data3) && (data3 > 29e4 || isNaN(data3))) {
        let err6 = { instancePath: instancePath + "/cardLimitMonthly", schemaPath: "#/properties/cardLimitMonthly/maximum", keyword: "maximum", params: { comparison: "<=", limit: 29e4 } };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.cardLimitTransaction !== void 0 && func0.call(data, "cardLimitTransaction")) {
      let data4 = data.cardLimitTransaction;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4) && isFinite(data4))) {
        let err7 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
      if (typeof data4 == "number" && isFinite(data4) && (data4 > 115e3 || isNaN(data4))) {
        let err8 = { instancePath: instancePath + "/cardLimitTransaction", schemaPath: "#/properties/cardLimitTransaction/maximum", keyword: "maximum", params: { comparison: "<=", limit: 115e3 } };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
  } else {
    let err9 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
  }
  return validate25.errors = vErrors, errors === 0;
}

function isTolerant(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2)) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3)) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4)) || !Object.hasOwn(value, "cardLimitTransaction"));
  } catch {
    return false;
  }
}

function isExactOnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "cardProgramme" && key !== "cardDesign" && key !== "cardLimitDaily" && key !== "cardLimitMonthly" && key !== "cardLimitTransaction") return false;
  }
  return true;
}
function isExact(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2)) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3)) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4)) || !Object.hasOwn(value, "cardLimitTransaction")) && isExactOnly0(value);
  } catch {
    return false;
  }
}

function isTolerantGBP(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2) && field2 <= 100000) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3) && field3 <= 250000) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4) && field4 <= 100000) || !Object.hasOwn(value, "cardLimitTransaction"));
  } catch {
    return false;
  }
}

function isExactGBPOnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "cardProgramme" && key !== "cardDesign" && key !== "cardLimitDaily" && key !== "cardLimitMonthly" && key !== "cardLimitTransaction") return false;
  }
  return true;
}
function isExactGBP(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2) && field2 <= 100000) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3) && field3 <= 250000) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4) && field4 <= 100000) || !Object.hasOwn(value, "cardLimitTransaction")) && isExactGBPOnly0(value);
  } catch {
    return false;
  }
}

function isTolerantEUR(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2) && field2 <= 115000) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3) && field3 <= 290000) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4) && field4 <= 115000) || !Object.hasOwn(value, "cardLimitTransaction"));
  } catch {
    return false;
  }
}

function isExactEUROnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "cardProgramme" && key !== "cardDesign" && key !== "cardLimitDaily" && key !== "cardLimitMonthly" && key !== "cardLimitTransaction") return false;
  }
  return true;
}
function isExactEUR(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2) && field2 <= 115000) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3) && field3 <= 290000) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4) && field4 <= 115000) || !Object.hasOwn(value, "cardLimitTransaction")) && isExactEUROnly0(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:issue-new-card-request",
  "title": "IssueNewCardRequest",
  "description": "The documented fields of the request of Issue new card.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardDesign": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum GBP 250000.00; EUR 290000.00.",
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "$comment": "API reference, Limits; since 24.0.0"
    }
  },
  "$comment": "API reference, Resources, Card"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:issue-new-card-request:exact",
  "title": "IssueNewCardRequest",
  "description": "The documented fields of the request of Issue new card.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardDesign": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum GBP 250000.00; EUR 290000.00.",
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "$comment": "API reference, Limits; since 24.0.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Card"
}) };

const tolerantGBP = { is: isTolerantGBP, collect: collectTolerantGBP, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:issue-new-card-request:gbp",
  "title": "IssueNewCardRequest",
  "description": "The documented fields of the request of Issue new card.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardDesign": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 100000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum GBP 250000.00; EUR 290000.00.",
      "maximum": 250000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 100000,
      "$comment": "API reference, Limits; since 24.0.0"
    }
  },
  "$comment": "API reference, Resources, Card"
}) };

const exactGBP = { is: isExactGBP, collect: collectExactGBP, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:issue-new-card-request:gbp:exact",
  "title": "IssueNewCardRequest",
  "description": "The documented fields of the request of Issue new card.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardDesign": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 100000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum GBP 250000.00; EUR 290000.00.",
      "maximum": 250000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 100000,
      "$comment": "API reference, Limits; since 24.0.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Card"
}) };

const tolerantEUR = { is: isTolerantEUR, collect: collectTolerantEUR, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:issue-new-card-request:eur",
  "title": "IssueNewCardRequest",
  "description": "The documented fields of the request of Issue new card.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardDesign": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 115000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum GBP 250000.00; EUR 290000.00.",
      "maximum": 290000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 115000,
      "$comment": "API reference, Limits; since 24.0.0"
    }
  },
  "$comment": "API reference, Resources, Card"
}) };

const exactEUR = { is: isExactEUR, collect: collectExactEUR, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:issue-new-card-request:eur:exact",
  "title": "IssueNewCardRequest",
  "description": "The documented fields of the request of Issue new card.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardDesign": {
      "type": "string",
      "$comment": "API reference, Resources, Card; since 22.3.0"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 115000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum GBP 250000.00; EUR 290000.00.",
      "maximum": 290000,
      "$comment": "API reference, Limits; since 24.0.0"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum GBP 100000.00; EUR 115000.00.",
      "maximum": 115000,
      "$comment": "API reference, Limits; since 24.0.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Card"
}) };

export type IssueNewCardRequest = Shape;

/** The documented fields of the request of Issue new card. The validator and the type have one name. */
export const IssueNewCardRequest: CurrencyValidator<Shape> = /* @__PURE__ */ createCurrencyValidator(/* @__PURE__ */ createValidator('IssueNewCardRequest', tolerant, exact), {
  GBP: /* @__PURE__ */ createValidator('IssueNewCardRequest', tolerantGBP, exactGBP),
  EUR: /* @__PURE__ */ createValidator('IssueNewCardRequest', tolerantEUR, exactEUR),
});
