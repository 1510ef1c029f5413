import type { SchemaCompiler } from '../schema/ajv.ts';
import { isObject, type Json, type JsonObject, objectOf } from '../schema/json.ts';
import { resolve } from '../schema/resolve.ts';
import type { SchemaDocument } from '../schema/schema-document.ts';
import { joinPointer } from '../text/pointer.ts';

export interface WrittenExample {
  /** Name of the example; `default` for `example`. */
  readonly key: string;
  /** Pointer of `example`, or of the entry of `examples`. */
  readonly pointer: string;
  readonly value: Json;
  /** The Example Object. Empty for `example`. */
  readonly entry: JsonObject;
}

/** @param pointer to a media type, parameter or header field */
export function writtenExamples(document: SchemaDocument, pointer: string): WrittenExample[] {
  const { node: holder } = resolve(document, pointer);
  if (!isObject(holder)) return [];
  const own = { key: 'default', pointer: joinPointer(pointer, 'example'), entry: {} };
  const { node: list } = resolve(document, joinPointer(pointer, 'examples'));
  const named = Object.keys(objectOf(list)).flatMap((key): WrittenExample[] => {
    const at = joinPointer(pointer, 'examples', key);
    const { node: entry } = resolve(document, at);
    return isObject(entry) && entry.value !== undefined ? [{ key, pointer: at, value: entry.value, entry }] : [];
  });
  return holder.example === undefined ? named : [{ ...own, value: holder.example }, ...named];
}

/** The value of the first example that contradicts no schema beside it. */
export function fittingExample(document: SchemaDocument, pointer: string, compile: SchemaCompiler): Json | undefined {
  const at = joinPointer(pointer, 'schema');
  const fits = document.at(at) === undefined ? () => true : compile(at);
  return writtenExamples(document, pointer).find(({ value }) => fits(value))?.value;
}
