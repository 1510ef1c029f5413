// @ts-nocheck
// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import { isDateTime } from '../date-time.ts';
import { createValidator } from '../runtime.ts';
import type { Validator } from '../validator.ts';
import type { Transaction as Shape } from './types.ts';

const FORMATS = { 'date-time': isDateTime };

var collectTolerant = validate20;
var func0 = Object.prototype.hasOwnProperty, formats0 = FORMATS["date-time"], pattern4 = new RegExp("^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.purposeCode !== void 0 && func0.call(data, "purposeCode") && typeof data.purposeCode != "string") {
      let err0 = { instancePath: instancePath + "/purposeCode", schemaPath: "#/properties/purposeCode/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.paymentProviderDetails !== void 0 && func0.call(data, "paymentProviderDetails")) {
      let data1 = data.paymentProviderDetails;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.shortReference !== void 0 && func0.call(data1, "shortReference") && typeof data1.shortReference != "string") {
          let err1 = { instancePath: instancePath + "/paymentProviderDetails/shortReference", schemaPath: "#/properties/paymentProviderDetails/properties/shortReference/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
        }
        if (data1.internalReference !== void 0 && func0.call(data1, "internalReference") && typeof data1.internalReference != "string") {
          let err2 = { instancePath: instancePath + "/paymentProviderDetails/internalReference", schemaPath: "#/properties/paymentProviderDetails/properties/internalReference/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
        if (data1.paymentId !== void 0 && func0.call(data1, "paymentId") && typeof data1.paymentId != "string") {
          let err3 = { instancePath: instancePath + "/paymentProviderDetails/paymentId", schemaPath: "#/properties/paymentProviderDetails/properties/paymentId/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
        }
        if (data1.conversionId !== void 0 && func0.call(data1, "conversionId") && typeof data1.conversionId != "string") {
          let err4 = { instancePath: instancePath + "/paymentProviderDetails/conversionId", schemaPath: "#/properties/paymentProviderDetails/properties/conversionId/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
        }
        if (data1.rate !== void 0 && func0.call(data1, "rate")) {
          let data6 = data1.rate;
          if (!(typeof data6 == "number" && isFinite(data6))) {
            let err5 = { instancePath: instancePath + "/paymentProviderDetails/rate", schemaPath: "#/properties/paymentProviderDetails/properties/rate/type", keyword: "type", params: { type: "number" } };
            vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
          }
        }
        if (data1.settlementDate !== void 0 && func0.call(data1, "settlementDate")) {
          let data7 = data1.settlementDate;
          if (typeof data7 == "string") {
            if (!pattern4.test(data7)) {
              let err6 = { instancePath: instancePath + "/paymentProviderDetails/settlementDate", schemaPath: "#/properties/paymentProviderDetails/properties/settlementDate/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$" } };
              vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
            }
            if (!formats0(data7)) {
              let err7 = { instancePath: instancePath + "/paymentProviderDetails/settlementDate", schemaPath: "#/properties/paymentProviderDetails/properties/settlementDate/format", keyword: "format", params: { format: "date-time" } };
              vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
            }
          } else {
            let err8 = { instancePath: instancePath + "/paymentProviderDetails/settlementDate", schemaPath: "#/properties/paymentProviderDetails/properties/settlementDate/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
          }
        }
      } else {
        let err9 = { instancePath: instancePath + "/paymentProviderDetails", schemaPath: "#/properties/paymentProviderDetails/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
  } else {
    let err10 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
var collectExact = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 of Object.keys(data))
      if (!(key0 === "purposeCode" || key0 === "paymentProviderDetails")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.purposeCode !== void 0 && func0.call(data, "purposeCode") && typeof data.purposeCode != "string") {
      let err1 = { instancePath: instancePath + "/purposeCode", schemaPath: "#/properties/purposeCode/type", keyword: "type", params: { type: "string" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.paymentProviderDetails !== void 0 && func0.call(data, "paymentProviderDetails")) {
      let data1 = data.paymentProviderDetails;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        for (let key1 of Object.keys(data1))
          if (!(key1 === "shortReference" || key1 === "internalReference" || key1 === "paymentId" || key1 === "conversionId" || key1 === "rate" || key1 === "settlementDate")) {
            let err2 = { instancePath: instancePath + "/paymentProviderDetails", schemaPath: "#/properties/paymentProviderDetails/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
          }
        if (data1.shortReference !== void 0 && func0.call(data1, "shortReference") && typeof data1.shortReference != "string") {
          let err3 = { instancePath: instancePath + "/paymentProviderDetails/shortReference", schemaPath: "#/properties/paymentProviderDetails/properties/shortReference/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
        }
        if (data1.internalReference !== void 0 && func0.call(data1, "internalReference") && typeof data1.internalReference != "string") {
          let err4 = { instancePath: instancePath + "/paymentProviderDetails/internalReference", schemaPath: "#/properties/paymentProviderDetails/properties/internalReference/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
        }
        if (data1.paymentId !== void 0 && func0.call(data1, "paymentId") && typeof data1.paymentId != "string") {
          let err5 = { instancePath: instancePath + "/paymentProviderDetails/paymentId", schemaPath: "#/properties/paymentProviderDetails/properties/paymentId/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
        }
        if (data1.conversionId !== void 0 && func0.call(data1, "conversionId") && typeof data1.conversionId != "string") {
          let err6 = { instancePath: instancePath + "/paymentProviderDetails/conversionId", schemaPath: "#/properties/paymentProviderDetails/properties/conversionId/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
        }
        if (data1.rate !== void 0 && func0.call(data1, "rate")) {
          let data6 = data1.rate;
          if (!(typeof data6 == "number" && isFinite(data6))) {
            let err7 = { instancePath: instancePath + "/paymentProviderDetails/rate", schemaPath: "#/properties/paymentProviderDetails/properties/rate/type", keyword: "type", params: { type: "number" } };
            vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
          }
        }
        if (data1.settlementDate !== void 0 && func0.call(data1, "settlementDate")) {
          let data7 = data1.settlementDate;
          if (typeof data7 == "string") {
            if (!pattern4.test(data7)) {
              let err8 = { instancePath: instancePath + "/paymentProviderDetails/settlementDate", schemaPath: "#/properties/paymentProviderDetails/properties/settlementDate/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|\\+00:00)$" } };
              vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
            }
            if (!formats0(data7)) {
              let err9 = { instancePath: instancePath + "/paymentProviderDetails/settlementDate", schemaPath: "#/properties/paymentProviderDetails/properties/settlementDate/format", keyword: "format", params: { format: "date-time" } };
              vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
            }
          } else {
            let err10 = { instancePath: instancePath + "/paymentProviderDetails/settlementDate", schemaPath: "#/properties/paymentProviderDetails/properties/settlementDate/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
          }
        }
      } else {
        let err11 = { instancePath: instancePath + "/paymentProviderDetails", schemaPath: "#/properties/paymentProviderDetails/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
  } else {
    let err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}

const isTolerantPattern0 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|\+00:00)$/u;
function isTolerant(value) {
  let field0, field1, field2, field3, field4, field5, field6, field7;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["purposeCode"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "purposeCode")) && ((field1 = value["paymentProviderDetails"]) === undefined || (typeof field1 === 'object' && field1 !== null && !Array.isArray(field1) && ((field2 = field1["shortReference"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(field1, "shortReference")) && ((field3 = field1["internalReference"]) === undefined || (typeof field3 === 'string') || !Object.hasOwn(field1, "internalReference")) && ((field4 = field1["paymentId"]) === undefined || (typeof field4 === 'string') || !Object.hasOwn(field1, "paymentId")) && ((field5 = field1["conversionId"]) === undefined || (typeof field5 === 'string') || !Object.hasOwn(field1, "conversionId")) && ((field6 = field1["rate"]) === undefined || (Number.isFinite(field6)) || !Object.hasOwn(field1, "rate")) && ((field7 = field1["settlementDate"]) === undefined || (typeof field7 === 'string' && isTolerantPattern0.test(field7) && isDateTime(field7)) || !Object.hasOwn(field1, "settlementDate"))) || !Object.hasOwn(value, "paymentProviderDetails"));
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
function isExactOnly7(value) {
  for (const key of Object.keys(value)) {
    if (key !== "purposeCode" && key !== "paymentProviderDetails") return false;
  }
  return true;
}
function isExact(value) {
  let field0, field1, field2, field3, field4, field5, field6, field7;
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && ((field0 = value["purposeCode"]) === undefined || (typeof field0 === 'string') || !Object.hasOwn(value, "purposeCode")) && ((field1 = value["paymentProviderDetails"]) === undefined || (typeof field1 === 'object' && field1 !== null && !Array.isArray(field1) && ((field2 = field1["shortReference"]) === undefined || (typeof field2 === 'string') || !Object.hasOwn(field1, "shortReference")) && ((field3 = field1["internalReference"]) === undefined || (typeof field3 === 'string') || !Object.hasOwn(field1, "internalReference")) && ((field4 = field1["paymentId"]) === undefined || (typeof field4 === 'string') || !Object.hasOwn(field1, "paymentId")) && ((field5 = field1["conversionId"]) === undefined || (typeof field5 === 'string') || !Object.hasOwn(field1, "conversionId")) && ((field6 = field1["rate"]) === undefined || (Number.isFinite(field6)) || !Object.hasOwn(field1, "rate")) && ((field7 = field1["settlementDate"]) === undefined || (typeof field7 === 'string' && isExactPattern0.test(field7) && isDateTime(field7)) || !Object.hasOwn(field1, "settlementDate")) && isExactOnly1(field1)) || !Object.hasOwn(value, "paymentProviderDetails")) && isExactOnly7(value);
  } catch {
    return false;
  }
}

const tolerant = { is: isTolerant, collect: collectTolerant, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:transaction",
  "title": "Transaction",
  "description": "Fields of the responses of Get Transaction and Create Transaction.",
  "type": "object",
  "properties": {
    "purposeCode": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "paymentProviderDetails": {
      "$ref": "#/$defs/PaymentProviderDetails",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    }
  },
  "$comment": "API reference, Resources, Transaction",
  "$defs": {
    "PaymentProviderDetails": {
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
    }
  }
}) };

const exact = { is: isExact, collect: collectExact, schema: () => ({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:banking-api-contract:schemas:transaction:exact",
  "title": "Transaction",
  "description": "Fields of the responses of Get Transaction and Create Transaction.",
  "type": "object",
  "properties": {
    "purposeCode": {
      "type": "string",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    },
    "paymentProviderDetails": {
      "$ref": "#/$defs/PaymentProviderDetails",
      "$comment": "API reference, Resources, Transaction; since 1.1.0"
    }
  },
  "additionalProperties": false,
  "$comment": "API reference, Resources, Transaction",
  "$defs": {
    "PaymentProviderDetails": {
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
    }
  }
}) };

export type Transaction = Shape;

/** Fields of the responses of Get Transaction and Create Transaction. The validator and the type have one name. */
export const Transaction: Validator<Shape> = /* @__PURE__ */ createValidator('Transaction', tolerant, exact);
