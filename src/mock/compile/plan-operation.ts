import type { Contract, Json, Media, Operation, Schema } from '../../contract/contract.ts';
import { weakest } from '../../contract/provenance.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../pointer.ts';
import { isJson } from '../http/call.ts';
import type { PlannedExample, PlannedMedia, PlannedOperation, PlannedRequest, PlannedResponse } from './plan.ts';
import { follow, provenanceShown, successesOf } from './provenance.ts';

/** A schema that a body must satisfy, to be compiled by whoever asks. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly pointer: string;
}

/** Says whether a value satisfies the schema at a pointer. */
export type Satisfies = (value: Json, schema: Schema, pointer: string) => boolean;

/** Works out what of an operation is constant. The schemas of its bodies are handed to `compile`. */
export function planOperation(
  contract: Contract,
  operation: Operation,
  compile: (schema: NamedSchema) => void,
  satisfies: Satisfies,
): PlannedOperation | null {
  const { method, path, located } = operation;
  if (method === null || path === null || located === null) return null;
  const successor = operation.successor === null ? undefined : contract.operation(operation.successor);
  return {
    operationId: operation.operationId,
    method,
    path,
    located,
    auth: operation.auth,
    deprecated: operation.deprecated,
    successor: successor?.method && successor.path ? { method: successor.method, path: successor.path } : null,
    prismJudges: operation.auth !== 'issues' && needsPrism(operation),
    request: planRequest(operation, compile),
    response: planResponse(contract, operation, located, satisfies),
  };
}

/** Parameters with a schema that says something, and bodies that are no JSON, are Prism's to judge. */
function needsPrism(operation: Operation): boolean {
  const parameters = operation.parameters.some((parameter) => {
    return isTelling(parameter.schema) || (parameter.required && parameter.in !== 'path');
  });
  return (
    parameters || (operation.requestBody?.content ?? []).some((media) => !isJson(media.type) && isTelling(media.schema))
  );
}

/** A schema that some value does not satisfy, as far as one can see; every path parameter is a string anyway. */
function isTelling(schema: Schema | undefined): boolean {
  if (schema === undefined || schema === true) return false;
  if (schema === false) return true;
  const words = Object.keys(schema).filter((word) => !word.startsWith('x-') && !ANNOTATIONS.has(word));
  return words.some((word) => !(word === 'type' && schema.type === 'string'));
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
]);

function planRequest(operation: Operation, compile: (schema: NamedSchema) => void): PlannedRequest | null {
  const { requestBody, operationId } = operation;
  if (!requestBody) return null;
  const media = requestBody.content.map((one) => {
    if (!isJson(one.type) || one.schema === undefined || !isTelling(one.schema))
      return { type: one.type, validator: null };
    const name = `${operationId} ${one.type}`;
    compile({ name, schema: one.schema, pointer: joinPointer(one.pointer, 'schema') });
    return { type: one.type, validator: name };
  });
  return { required: requestBody.required, media };
}

/** Prism's choice of a success response: the lowest of those that are named, a range after its codes. */
function planResponse(
  contract: Contract,
  operation: Operation,
  located: PlannedOperation['located'],
  satisfies: Satisfies,
): PlannedResponse {
  const chosen =
    successesOf(operation)[0] ??
    operation.responses.find((response) => response.status === 'default') ??
    operation.responses[0];
  if (!chosen) return { status: 200, media: [], prismMakes: false };
  const status = chosen.status === 'default' ? 200 : Number(chosen.status.replace('XX', '00'));
  const headers = contract.at(joinPointer(chosen.pointer, 'headers'));
  const base = weakest(located, contract.provenanceOf(chosen.pointer));
  const media = chosen.content.map(
    (one): PlannedMedia => ({ type: one.type, examples: examplesOf(contract, one, base, satisfies) }),
  );
  const [first] = media;
  const plain = media.length === 0 || (media.length === 1 && first !== undefined && first.examples.length > 0);
  return { status, media, prismMakes: !plain || (isObject(headers) && Object.keys(headers).length > 0) };
}

/**
 * The examples of a media type. One that its schema contradicts is left out, as happens when a recording has taught the mock
 * another shape than was assumed: then Prism makes the payload from the schema.
 */
function examplesOf(
  contract: Contract,
  media: Media,
  base: PlannedOperation['located'],
  satisfies: Satisfies,
): PlannedExample[] {
  const schemaPointer = media.schema === undefined ? null : joinPointer(media.pointer, 'schema');
  const found: PlannedExample[] = [];
  const add = (key: string, value: Json, when: PlannedExample['when']): void => {
    if (media.schema !== undefined && !satisfies(value, media.schema, joinPointer(media.pointer, 'schema'))) return;
    const body = isJson(media.type) || typeof value !== 'string' ? JSON.stringify(value) : value;
    found.push({ key, when, body, provenance: weakest(base, provenanceShown(contract, value, schemaPointer)) });
  };
  const node = contract.at(media.pointer);
  const example = isObject(node) ? node.example : undefined;
  if (example !== undefined) add('default', example, null);
  const examples = follow(contract, joinPointer(media.pointer, 'examples')).node;
  for (const key of isObject(examples) ? Object.keys(examples) : []) {
    const { node: entry } = follow(contract, joinPointer(media.pointer, 'examples', key));
    if (isObject(entry) && entry.value !== undefined) add(key, entry.value, whenOf(entry['x-mock-when']));
  }
  return found;
}

function whenOf(value: Json | undefined): Readonly<Record<string, string>> | null {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)])) : null;
}
