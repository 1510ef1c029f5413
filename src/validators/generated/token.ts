// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { Token as Shape } from './types.ts';

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty, pattern4 = new RegExp("^[Bb][Ee][Aa][Rr][Ee][Rr]$", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.access_token === void 0 || !func0.call(data, "access_token")) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "access_token" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.expires_in === void 0 || !func0.call(data, "expires_in")) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "expires_in" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.jti === void 0 || !func0.call(data, "jti")) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "jti" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.scope === void 0 || !func0.call(data, "scope")) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "scope" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.token_type === void 0 || !func0.call(data, "token_type")) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "token_type" } };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.access_token !== void 0 && func0.call(data, "access_token") && typeof data.access_token != "string") {
      let err5 = { instancePath: instancePath + "/access_token", schemaPath: "#/properties/access_token/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.expires_in !== void 0 && func0.call(data, "expires_in")) {
      let data1 = data.expires_in;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1) && isFinite(data1))) {
        let err6 = { instancePath: instancePath + "/expires_in", schemaPath: "#/properties/expires_in/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.jti !== void 0 && func0.call(data, "jti") && typeof data.jti != "string") {
      let err7 = { instancePath: instancePath + "/jti", schemaPath: "#/properties/jti/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.scope !== void 0 && func0.call(data, "scope") && typeof data.scope != "string") {
      let err8 = { instancePath: instancePath + "/scope", schemaPath: "#/properties/scope/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.token_type !== void 0 && func0.call(data, "token_type")) {
      let data4 = data.token_type;
      if (typeof data4 == "string") {
        if (!pattern4.test(data4)) {
          let err9 = { instancePath: instancePath + "/token_type", schemaPath: "#/properties/token_type/pattern", keyword: "pattern", params: { pattern: "^[Bb][Ee][Aa][Rr][Ee][Rr]$" } };
          vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
        }
      } else {
        let err10 = { instancePath: instancePath + "/token_type", schemaPath: "#/properties/token_type/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
  } else {
    let err11 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
var collectExact = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.access_token === void 0 || !func0.call(data, "access_token")) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "access_token" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.expires_in === void 0 || !func0.call(data, "expires_in")) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "expires_in" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.jti === void 0 || !func0.call(data, "jti")) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "jti" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.scope === void 0 || !func0.call(data, "scope")) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "scope" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.token_type === void 0 || !func0.call(data, "token_type")) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "token_type" } };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    for (let key0 of Object.keys(data))
      if (!(key0 === "access_token" || key0 === "expires_in" || key0 === "jti" || key0 === "scope" || key0 === "token_type")) {
        let err5 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    if (data.access_token !== void 0 && func0.call(data, "access_token") && typeof data.access_token != "string") {
      let err6 = { instancePath: instancePath + "/access_token", schemaPath: "#/properties/access_token/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.expires_in !== void 0 && func0.call(data, "expires_in")) {
      let data1 = data.expires_in;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1) && isFinite(data1))) {
        let err7 = { instancePath: instancePath + "/expires_in", schemaPath: "#/properties/expires_in/type", keyword: "type", params: { type: "integer" } };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.jti !== void 0 && func0.call(data, "jti") && typeof data.jti != "string") {
      let err8 = { instancePath: instancePath + "/jti", schemaPath: "#/properties/jti/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.scope !== void 0 && func0.call(data, "scope") && typeof data.scope != "string") {
      let err9 = { instancePath: instancePath + "/scope", schemaPath: "#/properties/scope/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.token_type !== void 0 && func0.call(data, "token_type")) {
      let data4 = data.token_type;
      if (typeof data4 == "string") {
        if (!pattern4.test(data4)) {
          let err10 = { instancePath: instancePath + "/token_type", schemaPath: "#/properties/token_type/pattern", keyword: "pattern", params: { pattern: "^[Bb][Ee][Aa][Rr][Ee][Rr]$" } };
          vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
        }
      } else {
        let err11 = { instancePath: instancePath + "/token_type", schemaPath: "#/properties/token_type/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
  } else {
    let err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}

const isTolerantPattern0 = /^[Bb][Ee][Aa][Rr][Ee][Rr]$/u;
function isTolerantOwns1(value) {
  return (Object.getPrototypeOf(value) === Object.prototype && Object.prototype["access_token"] === undefined && Object.prototype["expires_in"] === undefined && Object.prototype["jti"] === undefined && Object.prototype["scope"] === undefined && Object.prototype["token_type"] === undefined) ||
    (Object.hasOwn(value, "access_token") && Object.hasOwn(value, "expires_in") && Object.hasOwn(value, "jti") && Object.hasOwn(value, "scope") && Object.hasOwn(value, "token_type"));
}
function isTolerant(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && (field0 = value["access_token"], typeof field0 === 'string') && (field1 = value["expires_in"], Number.isInteger(field1)) && (field2 = value["jti"], typeof field2 === 'string') && (field3 = value["scope"], typeof field3 === 'string') && (field4 = value["token_type"], typeof field4 === 'string' && (field4 === "bearer" || isTolerantPattern0.test(field4))) && isTolerantOwns1(value);
  } catch {
    return false;
  }
}

const isExactPattern0 = /^[Bb][Ee][Aa][Rr][Ee][Rr]$/u;
function isExactOwns1(value) {
  return (Object.getPrototypeOf(value) === Object.prototype && Object.prototype["access_token"] === undefined && Object.prototype["expires_in"] === undefined && Object.prototype["jti"] === undefined && Object.prototype["scope"] === undefined && Object.prototype["token_type"] === undefined) ||
    (Object.hasOwn(value, "access_token") && Object.hasOwn(value, "expires_in") && Object.hasOwn(value, "jti") && Object.hasOwn(value, "scope") && Object.hasOwn(value, "token_type"));
}
function isExactOnly5(value) {
  for (const key of Object.keys(value)) {
    if (key !== "access_token" && key !== "expires_in" && key !== "jti" && key !== "scope" && key !== "token_type") return false;
  }
  return true;
}
function isExact(value) {
  let field0, field1, field2, field3, field4;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && (field0 = value["access_token"], typeof field0 === 'string') && (field1 = value["expires_in"], Number.isInteger(field1)) && (field2 = value["jti"], typeof field2 === 'string') && (field3 = value["scope"], typeof field3 === 'string') && (field4 = value["token_type"], typeof field4 === 'string' && (field4 === "bearer" || isExactPattern0.test(field4))) && isExactOwns1(value) && isExactOnly5(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:token",
  "title": "Token",
  "description": "Response of the token endpoint.",
  "type": "object",
  "required": [
    "access_token",
    "expires_in",
    "jti",
    "scope",
    "token_type"
  ],
  "properties": {
    "access_token": {
      "type": "string",
      "description": "Bearer token, a signed JWT.",
      "$comment": "API reference, Resources, Token response"
    },
    "expires_in": {
      "type": "integer",
      "description": "Remaining lifetime in seconds.",
      "examples": [
        3599
      ],
      "$comment": "API reference, Resources, Token response"
    },
    "jti": {
      "type": "string",
      "description": "Token identifier.",
      "$comment": "API reference, Resources, Token response"
    },
    "scope": {
      "type": "string",
      "description": "May be empty, or contain a scope name.",
      "$comment": "API reference, Resources, Token response"
    },
    "token_type": {
      "type": "string",
      "description": "Value: bearer, compared without regard to case (RFC 6749, 5.1).",
      "pattern": "^[Bb][Ee][Aa][Rr][Ee][Rr]$",
      "examples": [
        "bearer"
      ],
      "$comment": "API reference, Resources, Token response"
    }
  },
  "$comment": "API reference, Resources, Token response"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:token:exact",
  "title": "Token",
  "description": "Response of the token endpoint.",
  "type": "object",
  "required": [
    "access_token",
    "expires_in",
    "jti",
    "scope",
    "token_type"
  ],
  "properties": {
    "access_token": {
      "type": "string",
      "description": "Bearer token, a signed JWT.",
      "$comment": "API reference, Resources, Token response"
    },
    "expires_in": {
      "type": "integer",
      "description": "Remaining lifetime in seconds.",
      "examples": [
        3599
      ],
      "$comment": "API reference, Resources, Token response"
    },
    "jti": {
      "type": "string",
      "description": "Token identifier.",
      "$comment": "API reference, Resources, Token response"
    },
    "scope": {
      "type": "string",
      "description": "May be empty, or contain a scope name.",
      "$comment": "API reference, Resources, Token response"
    },
    "token_type": {
      "type": "string",
      "description": "Value: bearer, compared without regard to case (RFC 6749, 5.1).",
      "pattern": "^[Bb][Ee][Aa][Rr][Ee][Rr]$",
      "examples": [
        "bearer"
      ],
      "$comment": "API reference, Resources, Token response"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Token response"
}) };

export type Token = Shape;

/** Response of the token endpoint. The validator and the type have one name. */
export const Token: Validator<Shape> = /* @__PURE__ */ createValidator('Token', tolerant, exact);
