import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Contract } from '../../src/contract/contract.ts';
import { isObject, type Json, nodeAt } from '../../src/schema/json.ts';
import { formatFragment, parsePointer } from '../../src/text/pointer.ts';

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Says what is wrong with an answer that should be a success, by plain Ajv; null for a good one. */
export function createOracle(contract: Contract): (operationId: string, answer: Answered) => string | null {
  const ajv = new Ajv2020({ strict: false, logger: false, unicodeRegExp: false, validateFormats: true });
  formats.default(ajv);
  ajv.addSchema(forAnswers(contract.document as Json) as object, 'document');
  return (operationId, { status, type, text }) => {
    const responses = contract.operation(operationId)?.responses ?? [];
    const shows = (form: RegExp): boolean => responses.some((one) => form.test(one.status));
    const isRedirect = status >= 300 && status < 400 && shows(new RegExp(`^${status}$`)) && !shows(/^(?:2|default)/);
    if (isRedirect) return null;
    if (status < 200 || status > 299) return `status ${status}: ${text.slice(0, 200)}`;
    const its = ['2XX', 'default'].reduce<(typeof responses)[number] | undefined>(
      (found, name) => found ?? responses.find((one) => one.status === name),
      responses.find((one) => one.status === String(status)),
    );
    const media = its?.content.find((one) => one.type.includes('json') && one.schema !== undefined);
    if (media === undefined) return null;
    if (!type.includes('json')) return its?.content.some((one) => one.type === type) ? null : `no JSON but ${type}`;
    const validate = ajv.compile({
      $ref: `document${formatFragment([...(parsePointer(media.pointer) ?? []), 'schema'])}`,
    });
    return validate(JSON.parse(text)) ? null : ajv.errorsText(validate.errors);
  };
}

/** The document without the demand for members that only requests have (`writeOnly`). */
function forAnswers(document: Json): Json {
  const isForRequests = (property: Json | undefined): boolean => {
    if (!isObject(property)) return false;
    const target = typeof property.$ref === 'string' ? nodeAt(document, property.$ref.slice(1)) : property;
    return isObject(target) && target.writeOnly === true;
  };
  const copy = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(copy);
    if (!isObject(node)) return node;
    const { required, properties } = node;
    const copied = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, copy(value as Json)]));
    if (!(Array.isArray(required) && isObject(properties))) return copied;
    return { ...copied, required: required.filter((name) => !isForRequests(properties[String(name)] as Json)) };
  };
  return copy(document);
}
