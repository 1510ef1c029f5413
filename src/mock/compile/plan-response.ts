import type { Contract, Media, Operation } from '../../contract/contract.ts';
import { weakest } from '../../contract/provenance.ts';
import { styleOf, writeText } from '../../contract/styles.ts';
import { fittingExample, writtenExamples } from '../../contract/written-examples.ts';
import { isSendable } from '../../model/exchange.ts';
import { CONTRADICTION } from '../../model/mock-answer.ts';
import type { SchemaCompiler } from '../../schema/ajv.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { make, makeBest } from '../../schema/make.ts';
import { resolve } from '../../schema/resolve.ts';
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
import { bodyProvenance, chosenResponse } from './provenance.ts';

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
  const planned = (
    key: string,
    value: Json,
    when: PlannedExample['when'],
    fault: string | null = null,
  ): PlannedExample => {
    const isText = typeof value === 'string';
    const writable = isText || isJsonMedia(type) ? undefined : `the mock writes this ${type} as JSON`;
    const warning = fault === null ? writable : `${CONTRADICTION} (${file}:${line}): ${fault}`;
    const body = isText && !isJsonMedia(type) ? value : JSON.stringify(value);
    const provenance = weakest(base, bodyProvenance(contract, pointer, value));
    return { key, when, body, provenance, ...(warning !== undefined && { warning }) };
  };
  const written = writtenExamples(contract, pointer);
  const fitting = written.filter(({ value }) => judge(value));
  if (fitting.length > 0) return fitting.map(({ key, value, entry }) => planned(key, value, whenOf(entry)));
  // without a schema nothing is known, so send an empty object or text
  if (at === null) return [planned(MADE_UP, isJsonMedia(type) ? {} : '', null)];
  return (written.length > 0 ? written : [{ value: undefined, entry: {} }]).map(({ value: like, entry }) => {
    const { value, fault } = makeBest(contract, at, { seed, direction: 'response', judge, like });
    return planned(MADE_UP, value, whenOf(entry), fault);
  });
}

/** The values of path parameters that an example belongs to. */
export function whenOf({ 'x-mock-when': when }: JsonObject): PlannedExample['when'] {
  return isObject(when) ? Object.fromEntries(Object.entries(when).map(([name, text]) => [name, String(text)])) : null;
}

function headersAt(contract: Contract, pointer: string, compile: SchemaCompiler, seed: number): FlatHeaders {
  const fields = contract.at(pointer);
  if (!isObject(fields)) return [];
  return Object.keys(fields).flatMap((name) => {
    const at = resolve(contract, joinPointer(pointer, name)).pointer;
    const field = name.toLowerCase();
    const isLeftOut = isOfMock(field) || (field !== 'location' && isFreeText(contract, at));
    const value = isLeftOut ? undefined : valueAt(contract, at, compile, seed);
    const text =
      value === undefined || value === null
        ? ''
        : writeText(name, value, styleOf(contract.at(at) as JsonObject, 'header'));
    return text !== '' && isSendable(text) ? [field, text] : [];
  });
}

/** An optional text of which nothing is known. Clients would believe a made-up `ETag` or `Link`. */
function isFreeText(contract: Contract, pointer: string): boolean {
  const { node: schema } = resolve(contract, joinPointer(pointer, 'schema'));
  return (
    contract.at(joinPointer(pointer, 'required')) !== true &&
    writtenExamples(contract, pointer).length === 0 &&
    isObject(schema) &&
    schema.type === 'string' &&
    !FORMS.some((keyword) => keyword in schema)
  );
}

function valueAt(contract: Contract, pointer: string, compile: SchemaCompiler, seed: number): Json | undefined {
  const written = fittingExample(contract, pointer, compile);
  const at = joinPointer(pointer, 'schema');
  if (written !== undefined || contract.at(at) === undefined) return written;
  return make(contract, at, { seed, direction: 'response', judge: compile(at) });
}
