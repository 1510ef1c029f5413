// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { CreateNewBeneficiaryRequest as Shape } from './types.ts';

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.visible !== void 0 && func0.call(data, "visible") && typeof data.visible != "boolean") {
      let err0 = { instancePath: instancePath + "/visible", schemaPath: "#/properties/visible/type", keyword: "type", params: { type: "boolean" } };
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
      if (key0 !== "visible") {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.visible !== void 0 && func0.call(data, "visible") && typeof data.visible != "boolean") {
      let err1 = { instancePath: instancePath + "/visible", schemaPath: "#/properties/visible/type", keyword: "type", params: { type: "boolean" } };
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
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["visible"]) === undefined || (typeof field0 === 'boolean') || !Object.hasOwn(value, "visible"));
  } catch {
    return false;
  }
}

function isExactOnly0(value) {
  for (const key of Object.keys(value)) {
    if (key !== "visible") return false;
  }
  return true;
}
function isExact(value) {
  let field0;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["visible"]) === undefined || (typeof field0 === 'boolean') || !Object.hasOwn(value, "visible")) && isExactOnly0(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:create-new-beneficiary-request",
  "title": "CreateNewBeneficiaryRequest",
  "description": "The documented field of the request of Create new beneficiary.",
  "type": "object",
  "properties": {
    "visible": {
      "type": "boolean",
      "description": "Allowed values true, false; default true.",
      "default": true,
      "$comment": "API reference, Resources, Beneficiary; since 22.2.0"
    }
  },
  "$comment": "API reference, Resources, Beneficiary"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:create-new-beneficiary-request:exact",
  "title": "CreateNewBeneficiaryRequest",
  "description": "The documented field of the request of Create new beneficiary.",
  "type": "object",
  "properties": {
    "visible": {
      "type": "boolean",
      "description": "Allowed values true, false; default true.",
      "default": true,
      "$comment": "API reference, Resources, Beneficiary; since 22.2.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Beneficiary"
}) };

export type CreateNewBeneficiaryRequest = Shape;

/** The documented field of the request of Create new beneficiary. The validator and the type have one name. */
export const CreateNewBeneficiaryRequest: Validator<Shape> = /* @__PURE__ */ createValidator('CreateNewBeneficiaryRequest', tolerant, exact);
