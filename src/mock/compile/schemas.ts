import { ASSERTIONS } from '../../schema/keywords.ts';
import type { Schema } from '../../schema/schema-document.ts';

export interface RequestSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly pointer: string;
}

export type TakeSchema = (schema: RequestSchema) => void;

/** Whether a schema seems to reject any value. Not for `type: string` alone: each path parameter is a string. */
export function isTelling(schema: Schema | undefined): boolean {
  if (typeof schema !== 'object') return schema === false;
  return ASSERTIONS.some((word) => schema[word] !== undefined && !(word === 'type' && schema.type === 'string'));
}
