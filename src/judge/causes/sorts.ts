import type { Contract } from '../../contract/contract.ts';
import { isObject, partsOf } from '../../contract/schema-facts.ts';
import { numeric, typeOf } from '../shape.ts';
import { formsOf, formsWritten, type StringForm } from '../strings.ts';

/** What tells one value without parts from another, beside what it says. */
export interface Sort {
  /** Types beside null; an integer is a number. */
  readonly types: ReadonlySet<string>;
  readonly forms: ReadonlySet<StringForm>;
}

export function sortOfValue(value: unknown): Sort {
  return sortOf([typeOf(value)], typeof value === 'string' ? formsOf(value) : []);
}

export function sortBySchemas(contract: Contract, schemas: readonly string[]): Sort {
  const parts = partsOf(contract, schemas).map(({ schema }) => schema);
  return sortOf(
    parts.flatMap(({ type }) => [type].flat().filter((one) => typeof one === 'string')),
    parts.flatMap(({ format, pattern, 'x-seen': seen }) => {
      const form = isObject(seen) ? seen.form : undefined;
      return [...formsWritten({ ...(form && { form }), ...(format && { format }), ...(pattern && { pattern }) })];
    }),
  );
}

function sortOf(types: readonly string[], forms: Iterable<StringForm>): Sort {
  const told = types.filter((type) => type !== 'null').map(numeric);
  return { types: new Set(told), forms: new Set(forms) };
}

/** Forms that no text has by chance. */
const TELLING: readonly StringForm[] = ['date-time', 'date', 'local-date-time', 'uuid', 'email', 'uri'];

export function areAlike(one: Sort, other: Sort): boolean {
  const [type] = one.types;
  const isPlain = type !== undefined && type !== 'object' && type !== 'array';
  if (!isPlain || one.types.size !== 1 || other.types.size !== 1 || !other.types.has(type)) return false;
  return TELLING.every((form) => one.forms.has(form) === other.forms.has(form));
}
