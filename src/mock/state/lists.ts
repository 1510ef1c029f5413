import type { Contract, Media, Operation } from '../../contract/contract.ts';
import { type BOUNDS, ITEMS, KNOWN, MEMBERS, parameterWord, type ROLES } from '../../contract/list-words.ts';
import { ToolError } from '../../errors.ts';
import { isObject, type Json } from '../../schema/json.ts';
import { make } from '../../schema/make.ts';
import { factsOf, type SchemaFacts } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import { type BodyPlace, levelsIn } from './record-place.ts';
import type { Value } from './records.ts';
import { usualMember, usualParameter } from './usual-names.ts';

/** The query parameters of a list and the object around its records, as stated by `x-list`. */
export interface ListFacts {
  readonly filters: readonly Filter[];
  readonly roles: Readonly<Partial<Record<(typeof ROLES)[number], string>>>;
  /** Number of the first page: 0 or 1. */
  readonly firstPage: number;
  /** Size of a page if the query does not state it; null: all records. */
  readonly usual: number | null;
  /** The size applies only if the query states a size or a place. */
  readonly isOptional?: true;
  readonly envelope: Envelope | null;
}

export interface Filter {
  readonly name: string;
  readonly how: (typeof BOUNDS)[number];
  readonly field: string;
  /** One parameter holds several values, separated by commas. */
  readonly isArray: boolean;
}

/** A member of an answer: the records, a fact of the page, a constant of the document, or a nested object. */
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

/**
 * @param fields of a record
 * @param byName usual names count like `x-list`
 * @throws ToolError `spec-invalid` for an unknown `x-list`
 */
export function listFacts(
  contract: Contract,
  operation: Operation,
  fields: readonly string[],
  byName = false,
): ListFacts {
  const filters: Filter[] = [];
  const roles: { [role in (typeof ROLES)[number]]?: string } = {};
  let isOptional = false;
  const schemas: { [role in (typeof ROLES)[number]]?: Value } = {};
  for (const { name, in: place, pointer, schema } of operation.parameters) {
    const stated = wordAt(contract, pointer) ?? (byName ? usualParameter(name, fields) : undefined);
    if (place !== 'query' || stated === undefined) continue;
    const its: Value = isObject(schema) ? schema : {};
    const word = parameterWord(stated);
    if (word === undefined) throw unknownWord(contract, pointer, stated, KNOWN.parameter);
    if ('how' in word) filters.push({ name, ...word, isArray: its.type === 'array' });
    else {
      roles[word.role] = name;
      isOptional ||= word.isOptional === true;
      schemas[word.role] = its;
    }
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
    ...(isOptional && { isOptional }),
    envelope: media?.schema === undefined ? null : envelopeOf(contract, media, fields, byName),
  };
}

function wordAt(contract: Contract, pointer: string): string | undefined {
  const node = contract.at(pointer);
  const stated = isObject(node) ? node['x-list'] : undefined;
  return stated === undefined ? undefined : String(stated);
}

function unknownWord(contract: Contract, pointer: string, stated: string, known: string): ToolError {
  const place = contract.placeOf(joinPointer(pointer, 'x-list'));
  return new ToolError('spec-invalid', `There is no x-list ${stated}.`, { place, hint: `Known here: ${known}.` });
}

/** An overlay can turn an assumed array into an object and leave the array's `items` behind. */
function isArray({ types, items }: SchemaFacts): boolean {
  return items.length > 0 && (types.length === 0 || types.includes('array'));
}

/** How many objects may be around the array of the records. */
const DEEPEST = 3;

/**
 * The array of the records: the answer itself, the member with `x-list: items`, or the only array. Otherwise the array
 * whose items share most fields with a record. Undefined if two arrays share equally many, or if there is no array.
 */
export function recordArray(contract: Contract, schema: string, fields: readonly string[]): BodyPlace | undefined {
  const levels = [...levelsIn(factsOf(contract, [schema]), DEEPEST, isArray)];
  const all = levels.flat().filter(({ node }) => isArray(node));
  const stated = all.find(({ node }) => node.pointers.some((pointer) => wordAt(contract, pointer) === ITEMS));
  if (stated || all.length < 2) return stated ?? all[0];
  const shared = ({ node }: BodyPlace): number => {
    const { properties } = node.at(node.items);
    return fields.filter((field) => properties.has(field)).length;
  };
  const [best, next] = all.toSorted((one, other) => shared(other) - shared(one)) as [BodyPlace, BodyPlace];
  return shared(best) > shared(next) ? best : undefined;
}

/** The object around a list; null if the answer is an array or has no array for the records. */
function envelopeOf(
  contract: Contract,
  { pointer }: Media,
  fields: readonly string[],
  byName: boolean,
): Envelope | null {
  const schema = joinPointer(pointer, 'schema');
  const names = recordArray(contract, schema, fields)?.names ?? [];
  return names.length === 0 ? null : envelopeAround(contract, schema, names, byName);
}

/** @param names the members that lead to the records */
export function envelopeAround(
  contract: Contract,
  schema: string,
  names: readonly string[],
  byName: boolean,
): Envelope {
  const usual = make(contract, schema, { seed: 1, bare: true, direction: 'response' });
  return membersOf({ contract, byName, barren: new Set() }, factsOf(contract, [schema]), names, usual);
}

interface Reading {
  readonly contract: Contract;
  readonly byName: boolean;
  /** Objects that tell nothing of the list, each by its first member. An object that is being read may contain itself. */
  readonly barren: Set<string>;
}

/** @param path names that lead to the records; @param usual the required members, generated or documented */
function membersOf(
  reading: Reading,
  node: SchemaFacts,
  [items, ...deeper]: readonly string[],
  usual: Json | undefined,
): Envelope {
  const parts = [...node.properties.keys()].flatMap((name): [string, EnvelopePart][] => {
    const example = isObject(usual) ? usual[name] : undefined;
    const part = name === items && deeper.length === 0 ? ({ shows: 'items' } as const) : undefined;
    const found = part ?? partOf(reading, name, node.member(name), name === items ? deeper : [], example);
    return found ? [[name, found]] : [];
  });
  return Object.fromEntries(parts);
}

function partOf(
  reading: Reading,
  name: string,
  node: SchemaFacts,
  path: readonly string[],
  usual: Json | undefined,
): EnvelopePart | undefined {
  const { types, properties, pointers } = node;
  const stated = pointers
    .map((pointer) => [pointer, wordAt(reading.contract, pointer)] as const)
    .find(([, word]) => word !== undefined);
  const isScalar = properties.size === 0 && !types.includes('array');
  const tells =
    MEMBERS.find((word) => word === stated?.[1]) ?? (reading.byName && isScalar ? usualMember(name) : undefined);
  if (stated?.[1] !== undefined && !tells) throw unknownWord(reading.contract, stated[0], stated[1], KNOWN.member);
  const isText = types.includes('string') && !types.some((type) => type === 'integer' || type === 'number');
  if (tells) return { tells, isText, isNullable: types.includes('null'), isRequired: usual !== undefined };
  const [[home = ''] = []] = properties.values();
  if (path.length > 0 || !(home === '' || reading.barren.has(home))) {
    reading.barren.add(home);
    const members = membersOf(reading, node, path, usual);
    if (path.length > 0 || Object.values(members).some((part) => !('is' in part))) {
      reading.barren.delete(home);
      return { members };
    }
  }
  return usual === undefined ? undefined : { is: usual };
}
