import type { EntitiesFile, OperationForm } from '../../../generated/mock/entities.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import type { Value } from './records.ts';

/** What query parameters of a list do, where its operation documents them: nothing is known of others. */
export interface ListFacts {
  /** Fields by whose value the parameter of their name picks. */
  readonly picks: readonly string[];
  readonly limit: { readonly name: string; readonly usual: number | null } | null;
  readonly offset: { readonly name: string } | null;
  /** `first`: how the first page is called, 0 or 1. */
  readonly page: { readonly name: string; readonly first: number } | null;
}

/** Says at a parameter what it does to a list: `limit`, `offset` or `page`. */
const WORD = 'x-list';
/** Of a page whose size nothing states (assumed). */
const USUAL_SIZE = 20;

export function listFacts(
  contract: Contract,
  { parameters }: Operation,
  { list = '', pick = [] }: OperationForm,
  { kinds, lists = {} }: EntitiesFile,
): ListFacts {
  const fields = Object.keys(kinds[list]?.fields ?? {});
  const queries = parameters.filter((one) => one.in === 'query');
  const roleOf = ({ name, pointer }: Operation['parameters'][number]): string | undefined => {
    const node = contract.at(pointer);
    const said = isObject(node) ? node[WORD] : undefined;
    if (typeof said === 'string') return said;
    return (['limit', 'offset', 'page'] as const).find((role) => lists[role]?.includes(name));
  };
  const playing = (role: string): { readonly name: string; readonly schema: Value } | undefined => {
    const found = queries.find((one) => !fields.includes(one.name) && roleOf(one) === role);
    return found && { name: found.name, schema: isObject(found.schema) ? found.schema : {} };
  };
  const [limit, offset, page] = [playing('limit'), playing('offset'), playing('page')];
  return {
    picks: [...new Set([...pick, ...queries.map(({ name }) => name).filter((name) => fields.includes(name))])],
    limit: limit ? { name: limit.name, usual: numberIn(limit.schema.default) } : null,
    offset: offset ? { name: offset.name } : null,
    page: page
      ? { name: page.name, first: (numberIn(page.schema.minimum) ?? numberIn(page.schema.default)) === 0 ? 0 : 1 }
      : null,
  };
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Picks and pages as the query asks, and as the contract does where it asks for nothing. */
export function listed(
  found: readonly Value[],
  query: string,
  { picks, limit, offset, page }: ListFacts,
): readonly Value[] {
  if (query === '' && limit?.usual == null) return found;
  const asked = new URLSearchParams(query);
  let result = found;
  for (const field of picks) {
    const value = asked.get(field);
    // The document admits every value of a parameter without a type: one that no record has picks none.
    if (value !== null) result = result.filter((record) => String(record[field]) === value);
  }
  const whole = (name: string | undefined): number | undefined => {
    const text = name === undefined ? null : asked.get(name);
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const number = whole(page?.name);
  const size = whole(limit?.name) ?? limit?.usual ?? (number === undefined ? undefined : USUAL_SIZE);
  const start =
    whole(offset?.name) ?? Math.max(0, (number ?? 0) - (number === undefined ? 0 : (page?.first ?? 1))) * (size ?? 0);
  return start === 0 && size === undefined
    ? result
    : result.slice(start, size === undefined ? undefined : start + size);
}
