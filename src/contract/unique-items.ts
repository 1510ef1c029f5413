import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { sortedText } from '../text/sorted-text.ts';

/** The keyword in linear time. Ajv compares each object with each other one, so a small body would take minutes. */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  validate: areUnique,
};

function areUnique(isRequired: boolean, items: readonly unknown[]): boolean {
  const places = new Map<string, number>();
  for (const [place, item] of isRequired ? items.entries() : []) {
    const text = sortedText(item);
    const before = places.get(text);
    if (before !== undefined) {
      const message = `must NOT have duplicate items (items ## ${before} and ${place} are identical)`;
      (areUnique as SchemaValidateFunction).errors = [
        { keyword: 'uniqueItems', params: { i: place, j: before }, message },
      ];
      return false;
    }
    places.set(text, place);
  }
  return true;
}
