// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { Client as Shape } from './types.ts';

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.paymentProvider !== void 0 && func0.call(data, "paymentProvider") && typeof data.paymentProvider != "string") {
      let err0 = { instancePath: instancePath + "/paymentProvider", schemaPath: "#/properties/paymentProvider/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
var collectExact = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (key0 !== "paymentProvider") {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.paymentProvider !== void 0 && func0.call(data, "paymentProvider") && typeof data.paymentProvider != "string") {
      let err1 = { instancePath: instancePath + "/paymentProvider", schemaPath: "#/properties/paymentProvider/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
  } else {
    let err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}

function isTolerant(value) {
  let field0;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["paymentProvider"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "paymentProvider"));
  } catch {
    return false;
  }
}

function isExactOnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "paymentProvider") return false;
  }
  return true;
}
function isExact(value) {
  let field0;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["paymentProvider"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "paymentProvider")) && isExactOnly0(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:client",
  "title": "Client",
  "description": "Fields of the responses of Get clients, Get client, Freeze company and Unfreeze company.",
  "type": "object",
  "properties": {
    "paymentProvider": {
      "type": "string",
      "description": "Holds the name of the specific external payment provider when it is configured as the customer's payment provider; otherwise holds the customer's main banking provider.",
      "$comment": "API reference, Resources, Client; since 1.1.0"
    }
  },
  "$comment": "API reference, Resources, Client"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:client:exact",
  "title": "Client",
  "description": "Fields of the responses of Get clients, Get client, Freeze company and Unfreeze company.",
  "type": "object",
  "properties": {
    "paymentProvider": {
      "type": "string",
      "description": "Holds the name of the specific external payment provider when it is configured as the customer's payment provider; otherwise holds the customer's main banking provider.",
      "$comment": "API reference, Resources, Client; since 1.1.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Client"
}) };

export type Client = Shape;

/** Fields of the responses of Get clients, Get client, Freeze company and Unfreeze company. The validator and the type have one name. */
export const Client: Validator<Shape> = /* @__PURE__ */ createValidator('Client', tolerant, exact);
