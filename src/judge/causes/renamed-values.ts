import type { Contract } from '../../contract/contract.ts';
import { isObject, partsOf } from '../../contract/schema-facts.ts';
import { numeric, typeOf } from '../shape.ts';
import { formsOf, formsWritten, type StringForm } from '../strings.ts';
import type { Rebuild, Search } from './search.ts';

/** A field without parts has another name: one is gone, and the only new one of its sort came in its place. */
export function* renamedValues({ contract, object, fields, lost, fresh, hollow }: Search): Iterable<Rebuild> {
  if (hollow) return;
  const wanted = [...lost].map((name) => ({ name, sort: sortBySchemas(contract, fields.properties.get(name) ?? []) }));
  const given = [...fresh].map((name) => ({ name, sort: sortOfValue(object[name]) }));
  for (const { name, sort } of wanted) {
    const [to, ...others] = given.filter((one) => areAlike(sort, one.sort));
    if (to === undefined || others.length > 0) continue;
    if (wanted.filter((one) => areAlike(one.sort, to.sort)).length > 1) continue;
    yield { rule: 'fields-renamed', lost: [name], fresh: [to.name], expected: name, actual: `${to.name} in its place` };
  }
}

/** What tells one value without parts from another, beside what it says. */
interface Sort {
  /** Types beside null; an integer is a number. */
  readonly types: ReadonlySet<string>;
  readonly forms: ReadonlySet<StringForm>;
}

function sortOfValue(value: unknown): Sort {
  return sortOf([typeOf(value)], typeof value === 'string' ? formsOf(value) : []);
}

function sortBySchemas(contract: Contract, schemas: readonly string[]): Sort {
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
  return { types: new Set(types.filter((type) => type !== 'null').map(numeric)), forms: new Set(forms) };
}

/** Forms that no text has by chance. */
const TELLING: readonly StringForm[] = ['date-time', 'date', 'local-date-time', 'uuid', 'email', 'uri', 'iban'];

function areAlike(one: Sort, other: Sort): boolean {
  const [type] = one.types;
  const isPlain = type !== undefined && type !== 'object' && type !== 'array';
  if (!isPlain || one.types.size !== 1 || other.types.size !== 1 || !other.types.has(type)) return false;
  return TELLING.every((form) => one.forms.has(form) === other.forms.has(form));
}
