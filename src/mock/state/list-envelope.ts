import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import type { Contract, Json, Media } from '../../contract/contract.ts';
import { factsOf, isObject, type SchemaFacts } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../pointer.ts';
import { type Envelope, NUMBERS, type Page, type Part, type Told, TRUTHS } from './lists.ts';

/** What an overlay made an object of may keep the items of the array that it was assumed to be. */
function arrayOrObject(
  contract: Contract,
  pointers: readonly string[],
): Pick<SchemaFacts, 'items' | 'properties' | 'types'> {
  const facts = factsOf(contract, pointers);
  return facts.types.length > 0 && !facts.types.includes('array') ? { ...facts, items: [] } : facts;
}

/** The pointers of what an answer says of one record: an array, or the only array in an object. Empty where there is no such one. */
export function itemsAt(contract: Contract, pointers: readonly string[], depth = 0): readonly string[] {
  const { items, properties } = arrayOrObject(contract, pointers);
  if (items.length > 0 || depth > 2) return items;
  const found = [...properties.values()]
    .map((its) => itemsAt(contract, its, depth + 1))
    .filter((one) => one.length > 0);
  return found.length === 1 ? (found[0] ?? []) : [];
}

/** The envelope of a list; null where its answer is an array, or an object that does not say which array it is. */
export function envelopeOf(
  contract: Contract,
  { pointer }: Media,
  names: NonNullable<EntitiesFile['lists']>,
  word: string,
): Envelope | null {
  const schema = [joinPointer(pointer, 'schema')];
  const { items, properties } = arrayOrObject(contract, schema);
  if (items.length > 0 || properties.size === 0 || itemsAt(contract, schema).length === 0) return null;
  const saidAt = (pointers: readonly string[]): string | undefined =>
    pointers
      .map((at) => contract.at(at))
      .flatMap((node) => (isObject(node) ? [node[word]] : []))
      .find(isText);

  const membersOf = (pointers: readonly string[], depth: number): Envelope => {
    const facts = factsOf(contract, pointers);
    const all = [...facts.properties.keys()];
    // beside a total, a count is of this page
    const hasTotal = all.some((name) => names.total?.includes(name));
    const parts = [...facts.properties].map(([name, its]): [string, Part | undefined] => {
      const { types, items, properties } = arrayOrObject(contract, its);
      if (items.length > 0) return [name, { shows: 'items' }];
      if (properties.size > 0) return [name, depth < 2 ? { members: membersOf(its, depth + 1) } : undefined];
      const said = saidAt(its) ?? [...NUMBERS, ...TRUTHS, 'next'].find((one) => names[one as Told]?.includes(name));
      const tells = said === 'count' && !hasTotal ? 'total' : said;
      const isNeeded = facts.required.has(name);
      if (isTold(tells)) {
        const told = toldBy(tells, types, isUri(contract, its));
        if (told) return [name, { tells, ...told, ...(isNeeded && { otherwise: told.isText ? '' : EMPTY[tells] }) }];
      }
      const is = isNeeded ? constantAt(contract, its) : undefined;
      return [name, is === undefined ? undefined : { is }];
    });
    return Object.fromEntries(parts.filter((entry): entry is [string, Part] => entry[1] !== undefined));
  };
  return membersOf(schema, 0);
}

const EMPTY: { readonly [word in Told]: number | boolean | string } = {
  total: 0,
  count: 0,
  pages: 0,
  limit: 0,
  offset: 0,
  page: 0,
  more: false,
  first: true,
  last: true,
  next: '',
};

/** How a member of these types tells a word; undefined where it cannot: an address of the next page, for example, is not made. */
function toldBy(
  word: Told,
  types: readonly string[],
  isAddress: boolean,
): { readonly isText: boolean; readonly isNullable: boolean } | undefined {
  const isNullable = types.includes('null');
  const admits = (...wanted: string[]): boolean =>
    types.every((type) => type === 'null') || wanted.some((type) => types.includes(type));
  if (word === 'next') return admits('string') && !isAddress ? { isText: true, isNullable } : undefined;
  if (TRUTHS.some((one) => one === word)) return admits('boolean') ? { isText: false, isNullable } : undefined;
  if (admits('integer', 'number')) return { isText: false, isNullable };
  return types.includes('string') ? { isText: true, isNullable } : undefined;
}

function isUri(contract: Contract, pointers: readonly string[]): boolean {
  return /^(?:uri|url|iri)/.test(String(factsOf(contract, pointers).words.get('format') ?? ''));
}

/** What the document itself gives as a value. */
function constantAt(contract: Contract, pointers: readonly string[]): Json | undefined {
  for (const pointer of pointers) {
    const node = contract.at(pointer);
    if (!isObject(node)) continue;
    const [example] = Array.isArray(node.examples) ? (node.examples as readonly Json[]) : [];
    const [first] = Array.isArray(node.enum) ? (node.enum as readonly Json[]) : [];
    const value = [node.const, node.default, node.example, example, first].find((one) => one !== undefined);
    if (value !== undefined) return value;
  }
  return undefined;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function isTold(word: string | undefined): word is Told {
  return word !== undefined && Object.hasOwn(EMPTY, word);
}

/** The records of a page in their envelope. */
export function enveloped(envelope: Envelope, items: readonly unknown[], page: Page): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(envelope)) {
    if ('shows' in part) shown[name] = items;
    else if ('members' in part) shown[name] = enveloped(part.members, items, page);
    else if ('is' in part) shown[name] = part.is;
    else {
      const told = page[part.tells];
      if (told !== undefined) shown[name] = part.isText ? String(told) : told;
      else if (part.isNullable) shown[name] = null;
      else if (part.otherwise !== undefined) shown[name] = part.otherwise;
    }
  }
  return shown;
}
