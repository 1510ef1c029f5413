import type { Contract, Json, Media, Operation } from '../../contract/contract.ts';
import { factsOf, isObject, type SchemaFacts } from '../../contract/schema-facts.ts';
import { ToolError } from '../../errors.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import type { Value } from './records.ts';

/** Words of `x-list` at a query parameter. The words of {@link BOUNDS} are followed by a field: `from FIELD`. */
const ROLES = ['limit', 'offset', 'page', 'cursor', 'sort'] as const;
/** `from` and `to` include the bound. */
const BOUNDS = ['is', 'from', 'to'] as const;
/** Words of `x-list` at a property of the object around a list. */
export const MEMBERS = ['total', 'count', 'pages', 'limit', 'offset', 'page', 'more', 'first', 'last', 'next'] as const;

/** What the query of a list does, and the object in which the records stand, as `x-list` states it. */
export interface ListFacts {
  readonly filters: readonly Filter[];
  readonly roles: Readonly<Partial<Record<(typeof ROLES)[number], string>>>;
  /** Number of the first page: 0 or 1. */
  readonly firstPage: number;
  /** Size of a page if the query does not state it; null: all records. */
  readonly usual: number | null;
  readonly envelope: Envelope | null;
}

export interface Filter {
  readonly name: string;
  readonly how: (typeof BOUNDS)[number];
  readonly field: string;
  /** Several values stand in one parameter, with commas. */
  readonly isArray: boolean;
}

/** A member of an answer: the records, a fact of the page, a constant of the document, or members of its own. */
export type EnvelopePart =
  | { readonly shows: 'items' }
  | {
      readonly tells: (typeof MEMBERS)[number];
      readonly isText: boolean;
      readonly isNullable: boolean;
      readonly isRequired: boolean;
    }
  | { readonly is: Json }
  | { readonly members: Envelope };

export type Envelope = Readonly<Record<string, EnvelopePart>>;

/** Size of a page if neither the query nor the document states it (assumed). */
const USUAL_SIZE = 20;

/** @throws ToolError `spec-invalid` for an `x-list` that does not exist */
export function listFacts(contract: Contract, operation: Operation): ListFacts {
  const filters: Filter[] = [];
  const roles: { [role in (typeof ROLES)[number]]?: string } = {};
  const schemas: { [role in (typeof ROLES)[number]]?: Value } = {};
  for (const { name, in: place, pointer, schema } of operation.parameters) {
    const said = wordAt(contract, pointer);
    if (place !== 'query' || said === undefined) continue;
    const its: Value = isObject(schema) ? schema : {};
    const [word = '', field] = said.split(' ');
    const how = BOUNDS.find((bound) => bound === word);
    const role = ROLES.find((one) => one === word);
    if (how && field) filters.push({ name, how, field, isArray: its.type === 'array' });
    else if (role && field === undefined) {
      roles[role] = name;
      schemas[role] = its;
    } else throw unknownWord(contract, pointer, said, `${ROLES.join(', ')}, or ${BOUNDS.join(', ')} and a field`);
  }
  const { minimum, default: usualPage } = schemas.page ?? {};
  const isPaged = roles.page !== undefined || roles.cursor !== undefined;
  const size = schemas.limit?.default;
  const media = goodJson(operation);
  return {
    filters,
    roles,
    firstPage: (minimum ?? usualPage) === 0 ? 0 : 1,
    usual: typeof size === 'number' ? size : isPaged ? USUAL_SIZE : null,
    envelope: media?.schema === undefined ? null : envelopeOf(contract, media),
  };
}

function wordAt(contract: Contract, pointer: string): string | undefined {
  const node = contract.at(pointer);
  const said = isObject(node) ? node['x-list'] : undefined;
  return said === undefined ? undefined : String(said);
}

function unknownWord(contract: Contract, pointer: string, said: string, known: string): ToolError {
  const place = contract.placeOf(joinPointer(pointer, 'x-list'));
  return new ToolError('spec-invalid', `There is no x-list ${said}.`, { place, hint: `Known here: ${known}.` });
}

/** An overlay that makes an object of an assumed array may leave the `items` of that array behind. */
function arrayOrObject(
  contract: Contract,
  pointers: readonly string[],
): Pick<SchemaFacts, 'items' | 'properties' | 'types'> {
  const facts = factsOf(contract, pointers);
  return facts.types.length > 0 && !facts.types.includes('array') ? { ...facts, items: [] } : facts;
}

/** Pointers of the schemas of one record: the items of an array, or of the only array in an object. Empty if there is no such array. */
export function itemsAt(contract: Contract, pointers: readonly string[], depth = 0): readonly string[] {
  const { items, properties } = arrayOrObject(contract, pointers);
  if (items.length > 0 || depth > 2) return items;
  const found = [...properties.values()]
    .map((its) => itemsAt(contract, its, depth + 1))
    .filter((one) => one.length > 0);
  return found.length === 1 ? (found[0] ?? []) : [];
}

/** The object around a list; null if the answer is an array, or an object without exactly one array. */
function envelopeOf(contract: Contract, { pointer }: Media): Envelope | null {
  const schema = [joinPointer(pointer, 'schema')];
  const { items } = arrayOrObject(contract, schema);
  return items.length > 0 || itemsAt(contract, schema).length === 0 ? null : membersOf(contract, schema, 0);
}

function membersOf(contract: Contract, pointers: readonly string[], depth: number): Envelope {
  const { properties, required } = factsOf(contract, pointers);
  const parts = [...properties].map(([name, its]) => [name, partOf(contract, its, required.has(name), depth)] as const);
  return Object.fromEntries(parts.flatMap(([name, part]) => (part ? [[name, part]] : [])));
}

function partOf(
  contract: Contract,
  its: readonly string[],
  isRequired: boolean,
  depth: number,
): EnvelopePart | undefined {
  const { types, items, properties } = arrayOrObject(contract, its);
  if (items.length > 0) return { shows: 'items' };
  if (properties.size > 0) return depth < 2 ? { members: membersOf(contract, its, depth + 1) } : undefined;
  for (const pointer of its) {
    const said = wordAt(contract, pointer);
    const tells = MEMBERS.find((word) => word === said);
    if (said !== undefined && !tells) throw unknownWord(contract, pointer, said, MEMBERS.join(', '));
    const isText = types.includes('string') && !types.some((type) => type === 'integer' || type === 'number');
    if (tells) return { tells, isText, isNullable: types.includes('null'), isRequired };
  }
  const is = isRequired ? constantAt(contract, its) : undefined;
  return is === undefined ? undefined : { is };
}

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
