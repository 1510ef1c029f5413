// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { Card as Shape } from './types.ts';

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
    if (data.token !== void 0 && func0.call(data, "token") && typeof data.token != "string") {
      let err5 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
var collectExact = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (!(key0 === "cardProgramme" || key0 === "cardDesign" || key0 === "cardLimitDaily" || key0 === "cardLimitMonthly" || key0 === "cardLimitTransaction" || key0 === "token")) {
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
    if (data.token !== void 0 && func0.call(data, "token") && typeof data.token != "string") {
      let err6 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
  } else {
    let err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}

function isTolerant(value) {
  let field0, field1, field2, field3, field4, field5;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2)) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3)) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4)) || !Object.hasOwn(value, "cardLimitTransaction")) && ((field5 = value["token"]) === undefined || (typeof field5 === 'string') || !Object.hasOwn(value, "token"));
  } catch {
    return false;
  }
}

function isExactOnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "cardProgramme" && key !== "cardDesign" && key !== "cardLimitDaily" && key !== "cardLimitMonthly" && key !== "cardLimitTransaction" && key !== "token") return false;
  }
  return true;
}
function isExact(value) {
  let field0, field1, field2, field3, field4, field5;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["cardProgramme"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "cardProgramme")) && ((field1 = value["cardDesign"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "cardDesign")) && ((field2 = value["cardLimitDaily"]) === undefined || (Number.isInteger(field2)) || !Object.hasOwn(value, "cardLimitDaily")) && ((field3 = value["cardLimitMonthly"]) === undefined || (Number.isInteger(field3)) || !Object.hasOwn(value, "cardLimitMonthly")) && ((field4 = value["cardLimitTransaction"]) === undefined || (Number.isInteger(field4)) || !Object.hasOwn(value, "cardLimitTransaction")) && ((field5 = value["token"]) === undefined || (typeof field5 === 'string') || !Object.hasOwn(value, "token")) && isExactOnly0(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:card",
  "title": "Card",
  "description": "Fields of the responses of the card endpoints.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "description": "Issue request.",
      "$comment": "API reference, Resources, Card"
    },
    "cardDesign": {
      "type": "string",
      "description": "Issue request.",
      "$comment": "API reference, Resources, Card"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum per currency, see IssueNewCardRequest.",
      "$comment": "API reference, Resources, Card"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum per currency, see IssueNewCardRequest.",
      "$comment": "API reference, Resources, Card"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum per currency, see IssueNewCardRequest.",
      "$comment": "API reference, Resources, Card"
    },
    "token": {
      "type": "string",
      "description": "Card token; present only for physical cards.",
      "$comment": "API reference, Resources, Card; since 24.1.0"
    }
  },
  "$comment": "API reference, Resources, Card"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:card:exact",
  "title": "Card",
  "description": "Fields of the responses of the card endpoints.",
  "type": "object",
  "properties": {
    "cardProgramme": {
      "type": "string",
      "description": "Issue request.",
      "$comment": "API reference, Resources, Card"
    },
    "cardDesign": {
      "type": "string",
      "description": "Issue request.",
      "$comment": "API reference, Resources, Card"
    },
    "cardLimitDaily": {
      "type": "integer",
      "description": "Maximum per currency, see IssueNewCardRequest.",
      "$comment": "API reference, Resources, Card"
    },
    "cardLimitMonthly": {
      "type": "integer",
      "description": "Maximum per currency, see IssueNewCardRequest.",
      "$comment": "API reference, Resources, Card"
    },
    "cardLimitTransaction": {
      "type": "integer",
      "description": "Maximum per currency, see IssueNewCardRequest.",
      "$comment": "API reference, Resources, Card"
    },
    "token": {
      "type": "string",
      "description": "Card token; present only for physical cards.",
      "$comment": "API reference, Resources, Card; since 24.1.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Card"
}) };

export type Card = Shape;

/** Fields of the responses of the card endpoints. The validator and the type have one name. */
export const Card: Validator<Shape> = /* @__PURE__ */ createValidator('Card', tolerant, exact);
