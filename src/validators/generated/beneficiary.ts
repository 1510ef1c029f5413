// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { Beneficiary as Shape } from './types.ts';

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.aba !== void 0 && func0.call(data, "aba") && typeof data.aba != "string") {
      let err0 = { instancePath: instancePath + "/aba", schemaPath: "#/properties/aba/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.clabe !== void 0 && func0.call(data, "clabe") && typeof data.clabe != "string") {
      let err1 = { instancePath: instancePath + "/clabe", schemaPath: "#/properties/clabe/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.ifsc !== void 0 && func0.call(data, "ifsc") && typeof data.ifsc != "string") {
      let err2 = { instancePath: instancePath + "/ifsc", schemaPath: "#/properties/ifsc/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.cnaps !== void 0 && func0.call(data, "cnaps") && typeof data.cnaps != "string") {
      let err3 = { instancePath: instancePath + "/cnaps", schemaPath: "#/properties/cnaps/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.visible !== void 0 && func0.call(data, "visible") && typeof data.visible != "boolean") {
      let err4 = { instancePath: instancePath + "/visible", schemaPath: "#/properties/visible/type", keyword: "type", params: { type: "boolean" } };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
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
      if (!(key0 === "aba" || key0 === "clabe" || key0 === "ifsc" || key0 === "cnaps" || key0 === "visible")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.aba !== void 0 && func0.call(data, "aba") && typeof data.aba != "string") {
      let err1 = { instancePath: instancePath + "/aba", schemaPath: "#/properties/aba/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.clabe !== void 0 && func0.call(data, "clabe") && typeof data.clabe != "string") {
      let err2 = { instancePath: instancePath + "/clabe", schemaPath: "#/properties/clabe/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.ifsc !== void 0 && func0.call(data, "ifsc") && typeof data.ifsc != "string") {
      let err3 = { instancePath: instancePath + "/ifsc", schemaPath: "#/properties/ifsc/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.cnaps !== void 0 && func0.call(data, "cnaps") && typeof data.cnaps != "string") {
      let err4 = { instancePath: instancePath + "/cnaps", schemaPath: "#/properties/cnaps/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.visible !== void 0 && func0.call(data, "visible") && typeof data.visible != "boolean") {
      let err5 = { instancePath: instancePath + "/visible", schemaPath: "#/properties/visible/type", keyword: "type", params: { type: "boolean" } };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}

function isTolerant(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["aba"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "aba")) && ((field1 = value["clabe"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "clabe")) && ((field2 = value["ifsc"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(value, "ifsc")) && ((field3 = value["cnaps"]) === undefined || (typeof field3 === 'string') || !Object.hasOwn(value, "cnaps")) && ((field4 = value["visible"]) === undefined || (typeof field4 === 'boolean') || !Object.hasOwn(value, "visible"));
  } catch {
    return false;
  }
}

function isExactOnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "aba" && key !== "clabe" && key !== "ifsc" && key !== "cnaps" && key !== "visible") return false;
  }
  return true;
}
function isExact(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["aba"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "aba")) && ((field1 = value["clabe"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "clabe")) && ((field2 = value["ifsc"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(value, "ifsc")) && ((field3 = value["cnaps"]) === undefined || (typeof field3 === 'string') || !Object.hasOwn(value, "cnaps")) && ((field4 = value["visible"]) === undefined || (typeof field4 === 'boolean') || !Object.hasOwn(value, "visible")) && isExactOnly0(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:beneficiary",
  "title": "Beneficiary",
  "description": "Fields of the responses of Get beneficiaries, Create beneficiary, Get beneficiary and Update beneficiary.",
  "type": "object",
  "properties": {
    "aba": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "clabe": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "ifsc": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "cnaps": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "visible": {
      "type": "boolean",
      "description": "Accepted on Create new beneficiary; allowed values true, false.",
      "$comment": "API reference, Resources, Beneficiary"
    }
  },
  "$comment": "API reference, Resources, Beneficiary"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:beneficiary:exact",
  "title": "Beneficiary",
  "description": "Fields of the responses of Get beneficiaries, Create beneficiary, Get beneficiary and Update beneficiary.",
  "type": "object",
  "properties": {
    "aba": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "clabe": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "ifsc": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "cnaps": {
      "type": "string",
      "description": "Only meaningful for customers on the specific external payment provider.",
      "$comment": "API reference, Resources, Beneficiary; since 1.1.0"
    },
    "visible": {
      "type": "boolean",
      "description": "Accepted on Create new beneficiary; allowed values true, false.",
      "$comment": "API reference, Resources, Beneficiary"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Beneficiary"
}) };

export type Beneficiary = Shape;

/** Fields of the responses of Get beneficiaries, Create beneficiary, Get beneficiary and Update beneficiary. The validator and the type have one name. */
export const Beneficiary: Validator<Shape> = /* @__PURE__ */ createValidator('Beneficiary', tolerant, exact);
