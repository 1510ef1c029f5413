// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { Account as Shape } from './types.ts';

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.wireRoutingNumber !== void 0 && func0.call(data, "wireRoutingNumber") && typeof data.wireRoutingNumber != "string") {
      let err0 = { instancePath: instancePath + "/wireRoutingNumber", schemaPath: "#/properties/wireRoutingNumber/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.achRoutingNumber !== void 0 && func0.call(data, "achRoutingNumber") && typeof data.achRoutingNumber != "string") {
      let err1 = { instancePath: instancePath + "/achRoutingNumber", schemaPath: "#/properties/achRoutingNumber/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.ibanForSwift !== void 0 && func0.call(data, "ibanForSwift") && typeof data.ibanForSwift != "string") {
      let err2 = { instancePath: instancePath + "/ibanForSwift", schemaPath: "#/properties/ibanForSwift/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
var collectExact = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (!(key0 === "wireRoutingNumber" || key0 === "achRoutingNumber" || key0 === "ibanForSwift")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.wireRoutingNumber !== void 0 && func0.call(data, "wireRoutingNumber") && typeof data.wireRoutingNumber != "string") {
      let err1 = { instancePath: instancePath + "/wireRoutingNumber", schemaPath: "#/properties/wireRoutingNumber/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.achRoutingNumber !== void 0 && func0.call(data, "achRoutingNumber") && typeof data.achRoutingNumber != "string") {
      let err2 = { instancePath: instancePath + "/achRoutingNumber", schemaPath: "#/properties/achRoutingNumber/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.ibanForSwift !== void 0 && func0.call(data, "ibanForSwift") && typeof data.ibanForSwift != "string") {
      let err3 = { instancePath: instancePath + "/ibanForSwift", schemaPath: "#/properties/ibanForSwift/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
  } else {
    let err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}

function isTolerant(value) {
  let field0, field1, field2;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["wireRoutingNumber"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "wireRoutingNumber")) && ((field1 = value["achRoutingNumber"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "achRoutingNumber")) && ((field2 = value["ibanForSwift"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(value, "ibanForSwift"));
  } catch {
    return false;
  }
}

function isExactOnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "wireRoutingNumber" && key !== "achRoutingNumber" && key !== "ibanForSwift") return false;
  }
  return true;
}
function isExact(value) {
  let field0, field1, field2;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["wireRoutingNumber"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "wireRoutingNumber")) && ((field1 = value["achRoutingNumber"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "achRoutingNumber")) && ((field2 = value["ibanForSwift"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(value, "ibanForSwift")) && isExactOnly0(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:account",
  "title": "Account",
  "description": "Fields of the responses of Get accounts, Get account, Update Account Read Only, Cancel account and Create account.",
  "type": "object",
  "properties": {
    "wireRoutingNumber": {
      "type": "string",
      "description": "Only meaningful for customers whose payment provider is one specific external provider.",
      "$comment": "API reference, Resources, Account; since 1.1.0"
    },
    "achRoutingNumber": {
      "type": "string",
      "description": "Only meaningful for customers whose payment provider is one specific external provider.",
      "$comment": "API reference, Resources, Account; since 1.1.0"
    },
    "ibanForSwift": {
      "type": "string",
      "description": "Only meaningful for customers whose payment provider is one specific external provider.",
      "$comment": "API reference, Resources, Account; since 1.1.0"
    }
  },
  "$comment": "API reference, Resources, Account"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:account:exact",
  "title": "Account",
  "description": "Fields of the responses of Get accounts, Get account, Update Account Read Only, Cancel account and Create account.",
  "type": "object",
  "properties": {
    "wireRoutingNumber": {
      "type": "string",
      "description": "Only meaningful for customers whose payment provider is one specific external provider.",
      "$comment": "API reference, Resources, Account; since 1.1.0"
    },
    "achRoutingNumber": {
      "type": "string",
      "description": "Only meaningful for customers whose payment provider is one specific external provider.",
      "$comment": "API reference, Resources, Account; since 1.1.0"
    },
    "ibanForSwift": {
      "type": "string",
      "description": "Only meaningful for customers whose payment provider is one specific external provider.",
      "$comment": "API reference, Resources, Account; since 1.1.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Account"
}) };

export type Account = Shape;

/** Fields of the responses of Get accounts, Get account, Update Account Read Only, Cancel account and Create account. The validator and the type have one name. */
export const Account: Validator<Shape> = /* @__PURE__ */ createValidator('Account', tolerant, exact);
