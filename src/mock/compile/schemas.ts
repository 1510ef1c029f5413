import type { Json, Schema } from '../../contract/contract.ts';

export interface RequestSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly pointer: string;
}

export type TakeSchema = (schema: RequestSchema) => void;

export type Satisfies = (value: Json, pointer: string) => boolean;

/** A schema that some value does not satisfy, as far as one can see; every path parameter is a string anyway. */
export function isTelling(schema: Schema | undefined): boolean {
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
