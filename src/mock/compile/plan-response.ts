import type { Contract, Media, Operation } from '../../contract/contract.ts';
import { weakest } from '../../contract/provenance.ts';
import { styleOf, writeText } from '../../contract/styles.ts';
import { isSendable } from '../../model/exchange.ts';
import { CONTRADICTION } from '../../model/mock-answer.ts';
import type { SchemaCompiler } from '../../schema/ajv.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { isObject } from '../../schema/json.ts';
import { make, makeBest } from '../../schema/make.ts';
import { joinPointer } from '../../text/pointer.ts';
import { type FlatHeaders, isOfMock } from '../message/answer.ts';
import { isJsonMedia } from '../message/call.ts';
import {
  MADE_UP,
  type PlannedExample,
  type PlannedMedia,
  type PlannedOperation,
  type PlannedResponse,
} from './plan.ts';
import { chosenResponse, followPart, provenanceShown } from './provenance.ts';

/** Keywords that state what a text may be. */
const FORMS = ['const', 'default', 'enum', 'example', 'examples', 'format', 'pattern'];

export function planResponse(
  contract: Contract,
  operation: Operation,
  located: PlannedOperation['located'],
  compile: SchemaCompiler,
  seed: number,
): PlannedResponse {
  const chosen = chosenResponse(operation);
  if (!chosen) return { status: 200, media: [], headers: [] };
  const status = chosen.status === 'default' ? 200 : Number(chosen.status.replace('XX', '00'));
  const base = weakest(located, contract.provenanceOf(chosen.pointer));
  const media = chosen.content.map((one): PlannedMedia => {
    let examples: readonly PlannedExample[] | undefined;
    return {
      type: one.type,
      // on first use, because this compiles the schema
      get examples() {
        examples ??= operation.auth === 'issues' ? [] : examplesOf(contract, one, base, compile, seed);
        return examples;
      },
    };
  });
  let headers: FlatHeaders | undefined;
  return {
    status,
    media,
    get headers() {
      headers ??= headersAt(contract, joinPointer(chosen.pointer, 'headers'), compile, seed);
      return headers;
    },
  };
}

export interface WrittenExample {
  readonly key: string;
  readonly value: Json;
  readonly when: PlannedExample['when'];
}

/**
 * The examples of a media type that satisfy its schema. A recording can teach the mock a shape that differs from the
 * assumed one: if no written example fits, the written ones are adapted, or else one is generated. If no value satisfies
 * the schema, a warning says so.
 */
export function examplesOf(
  contract: Contract,
  { type, schema, pointer }: Media,
  base: PlannedOperation['located'],
  compile: SchemaCompiler,
  seed: number,
): PlannedExample[] {
  const at = schema === undefined ? null : joinPointer(pointer, 'schema');
  const judge = at === null ? () => true : compile(at);
  const { file, line } = contract.placeOf(at ?? pointer);
  const planned = ({ key, value, when }: WrittenExample, fault: string | null = null): PlannedExample => {
    const isText = typeof value === 'string';
    const writable = isText || isJsonMedia(type) ? undefined : `the mock writes this ${type} as JSON`;
    const warning = fault === null ? writable : `${CONTRADICTION} (${file}:${line}): ${fault}`;
    const body = isText && !isJsonMedia(type) ? value : JSON.stringify(value);
    const provenance = weakest(base, provenanceShown(contract, value, at));
    return { key, when, body, provenance, ...(warning !== undefined && { warning }) };
  };
  const written = writtenIn(contract, pointer);
  const fitting = written.filter(({ value }) => judge(value));
  if (fitting.length > 0) return fitting.map((example) => planned(example));
  // without a schema nothing is known, so send an empty object or text
  if (at === null) return [planned({ key: MADE_UP, value: isJsonMedia(type) ? {} : '', when: null })];
  return (written.length > 0 ? written : [{ value: undefined, when: null }]).map(({ value: like, when }) => {
    const { value, fault } = makeBest(contract, at, { seed, direction: 'response', judge, like });
    return planned({ key: MADE_UP, value, when }, fault);
  });
}

/** @param pointer to a media type or header field */
export function writtenIn(contract: Contract, pointer: string): WrittenExample[] {
  const { example } = nodeOf(contract, pointer);
  const { node: list } = followPart(contract, joinPointer(pointer, 'examples'));
  const named = Object.keys(isObject(list) ? list : {}).flatMap((key): WrittenExample[] => {
    const { node: entry } = followPart(contract, joinPointer(pointer, 'examples', key));
    if (!isObject(entry) || entry.value === undefined) return [];
    return [{ key, value: entry.value, when: whenOf(entry['x-mock-when']) }];
  });
  return example === undefined ? named : [{ key: 'default', value: example, when: null }, ...named];
}

function whenOf(value: Json | undefined): Readonly<Record<string, string>> | null {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)])) : null;
}

function headersAt(contract: Contract, pointer: string, compile: SchemaCompiler, seed: number): FlatHeaders {
  const fields = contract.at(pointer);
  if (!isObject(fields)) return [];
  return Object.keys(fields).flatMap((name) => {
    const at = followPart(contract, joinPointer(pointer, name)).pointer;
    const field = name.toLowerCase();
    const isLeftOut = isOfMock(field) || (field !== 'location' && isFreeText(contract, at));
    const value = isLeftOut ? undefined : valueAt(contract, at, compile, seed);
    const text =
      value === undefined || value === null ? '' : writeText(name, value, styleOf(nodeOf(contract, at), 'header'));
    return text !== '' && isSendable(text) ? [field, text] : [];
  });
}

/** An optional text of which nothing is known. Clients would believe a made-up `ETag` or `Link`. */
function isFreeText(contract: Contract, pointer: string): boolean {
  const { node: schema } = followPart(contract, joinPointer(pointer, 'schema'));
  return (
    contract.at(joinPointer(pointer, 'required')) !== true &&
    writtenIn(contract, pointer).length === 0 &&
    isObject(schema) &&
    schema.type === 'string' &&
    !FORMS.some((keyword) => keyword in schema)
  );
}

function valueAt(contract: Contract, pointer: string, compile: SchemaCompiler, seed: number): Json | undefined {
  const [written] = writtenIn(contract, pointer);
  if (written) return written.value;
  const at = joinPointer(pointer, 'schema');
  if (contract.at(at) === undefined) return undefined;
  return make(contract, at, { seed, direction: 'response', judge: compile(at) });
}

function nodeOf(contract: Contract, pointer: string): JsonObject {
  const node = contract.at(pointer);
  return isObject(node) ? node : {};
}
