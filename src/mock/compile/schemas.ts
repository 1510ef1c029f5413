import type { Schema } from '../../schema/schema-document.ts';

export interface RequestSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly pointer: string;
}

export type TakeSchema = (schema: RequestSchema) => void;

/** Whether a schema seems to reject any value. Not for `type: string` alone: each path parameter is a string. */
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
