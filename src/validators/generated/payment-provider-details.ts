// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { isDateTime } from '../date-time.ts';
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { PaymentProviderDetails as Shape } from './types.ts';

const FORMATS = { 'date-time': isDateTime };

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty, formats0 = FORMATS["date-time"], pattern4 = new RegExp("^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.shortReference !== void 0 && func0.call(data, "shortReference") && typeof data.shortReference != "string") {
      let err0 = { instancePath: instancePath + "/shortReference", schemaPath: "#/properties/shortReference/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.internalReference !== void 0 && func0.call(data, "internalReference") && typeof data.internalReference != "string") {
      let err1 = { instancePath: instancePath + "/internalReference", schemaPath: "#/properties/internalReference/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.paymentId !== void 0 && func0.call(data, "paymentId") && typeof data.paymentId != "string") {
      let err2 = { instancePath: instancePath + "/paymentId", schemaPath: "#/properties/paymentId/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.conversionId !== void 0 && func0.call(data, "conversionId") && typeof data.conversionId != "string") {
      let err3 = { instancePath: instancePath + "/conversionId", schemaPath: "#/properties/conversionId/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.rate !== void 0 && func0.call(data, "rate")) {
      let data4 = data.rate;
      if (!(typeof data4 == "number" && isFinite(data4))) {
        let err4 = { instancePath: instancePath + "/rate", schemaPath: "#/properties/rate/type", keyword: "type", params: { type: "number" } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.settlementDate !== void 0 && func0.call(data, "settlementDate")) {
      let data5 = data.settlementDate;
      if (typeof data5 == "string") {
        if (!pattern4.test(data5)) {
          let err5 = { instancePath: instancePath + "/settlementDate", schemaPath: "#/properties/settlementDate/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$" } };
          vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
        }
        if (!formats0(data5)) {
          let err6 = { instancePath: instancePath + "/settlementDate", schemaPath: "#/properties/settlementDate/format", keyword: "format", params: { format: "date-time" } };
          vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
        }
      } else {
        let err7 = { instancePath: instancePath + "/settlementDate", schemaPath: "#/properties/settlementDate/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
  } else {
    let err8 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
var collectExact = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (!(key0 === "shortReference" || key0 === "internalReference" || key0 === "paymentId" || key0 === "conversionId" || key0 === "rate" || key0 === "settlementDate")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.shortReference !== void 0 && func0.call(data, "shortReference") && typeof data.shortReference != "string") {
      let err1 = { instancePath: instancePath + "/shortReference", schemaPath: "#/properties/shortReference/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.internalReference !== void 0 && func0.call(data, "internalReference") && typeof data.internalReference != "string") {
      let err2 = { instancePath: instancePath + "/internalReference", schemaPath: "#/properties/internalReference/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.paymentId !== void 0 && func0.call(data, "paymentId") && typeof data.paymentId != "string") {
      let err3 = { instancePath: instancePath + "/paymentId", schemaPath: "#/properties/paymentId/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.conversionId !== void 0 && func0.call(data, "conversionId") && typeof data.conversionId != "string") {
      let err4 = { instancePath: instancePath + "/conversionId", schemaPath: "#/properties/conversionId/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.rate !== void 0 && func0.call(data, "rate")) {
      let data4 = data.rate;
      if (!(typeof data4 == "number" && isFinite(data4))) {
        let err5 = { instancePath: instancePath + "/rate", schemaPath: "#/properties/rate/type", keyword: "type", params: { type: "number" } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.settlementDate !== void 0 && func0.call(data, "settlementDate")) {
      let data5 = data.settlementDate;
      if (typeof data5 == "string") {
        if (!pattern4.test(data5)) {
          let err6 = { instancePath: instancePath + "/settlementDate", schemaPath: "#/properties/settlementDate/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$" } };
          vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
        }
        if (!formats0(data5)) {
          let err7 = { instancePath: instancePath + "/settlementDate", schemaPath: "#/properties/settlementDate/format", keyword: "format", params: { format: "date-time" } };
          vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
        }
      } else {
        let err8 = { instancePath: instancePath + "/settlementDate", schemaPath: "#/properties/settlementDate/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
  } else {
    let err9 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}

const isTolerantPattern0 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|\+00:00)$/u;
function isTolerant(value) {
  let field0, field1, field2, field3, field4, field5;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["shortReference"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "shortReference")) && ((field1 = value["internalReference"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "internalReference")) && ((field2 = value["paymentId"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(value, "paymentId")) && ((field3 = value["conversionId"]) === undefined || (typeof field3 === 'string') || !Object.hasOwn(value, "conversionId")) && ((field4 = value["rate"]) === undefined || (Number.isFinite(field4)) || !Object.hasOwn(value, "rate")) && ((field5 = value["settlementDate"]) === undefined || (typeof field5 === 'string' && isTolerantPattern0.test(field5) && isDateTime(field5)) || !Object.hasOwn(value, "settlementDate"));
  } catch {
    return false;
  }
}

const isExactPattern0 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|\+00:00)$/u;
function isExactOnly1(value) {
  for (const key of Object.keys(value)) {
    if (key !== "shortReference" && key !== "internalReference" && key !== "paymentId" && key !== "conversionId" && key !== "rate" && key !== "settlementDate") return false;
  }
  return true;
}
function isExact(value) {
  let field0, field1, field2, field3, field4, field5;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["shortReference"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "shortReference")) && ((field1 = value["internalReference"]) === undefined || (typeof field1 === 'string') || !Object.hasOwn(value, "internalReference")) && ((field2 = value["paymentId"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(value, "paymentId")) && ((field3 = value["conversionId"]) === undefined || (typeof field3 === 'string') || !Object.hasOwn(value, "conversionId")) && ((field4 = value["rate"]) === undefined || (Number.isFinite(field4)) || !Object.hasOwn(value, "rate")) && ((field5 = value["settlementDate"]) === undefined || (typeof field5 === 'string' && isExactPattern0.test(field5) && isDateTime(field5)) || !Object.hasOwn(value, "settlementDate")) && isExactOnly1(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:payment-provider-details",
  "title": "PaymentProviderDetails",
  "description": "The object paymentProviderDetails of a transaction.",
  "type": "object",
  "properties": {
    "shortReference": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "internalReference": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "paymentId": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "conversionId": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "rate": {
      "type": "number",
      "description": "Decimal.",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "settlementDate": {
      "type": "string",
      "description": "ISO 8601 date-time, UTC. Read as JSON Schema reads date-time: RFC 3339, with the offset Z or +00:00.",
      "format": "date-time",
      "pattern": "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    }
  },
  "$comment": "API reference, Resources, Transaction"
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:payment-provider-details:exact",
  "title": "PaymentProviderDetails",
  "description": "The object paymentProviderDetails of a transaction.",
  "type": "object",
  "properties": {
    "shortReference": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "internalReference": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "paymentId": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "conversionId": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "rate": {
      "type": "number",
      "description": "Decimal.",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "settlementDate": {
      "type": "string",
      "description": "ISO 8601 date-time, UTC. Read as JSON Schema reads date-time: RFC 3339, with the offset Z or +00:00.",
      "format": "date-time",
      "pattern": "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Transaction"
}) };

export type PaymentProviderDetails = Shape;

/** The object paymentProviderDetails of a transaction. The validator and the type have one name. */
export const PaymentProviderDetails: Validator<Shape> = /* @__PURE__ */ createValidator('PaymentProviderDetails', tolerant, exact);
