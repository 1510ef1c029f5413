import type { Contract, Operation } from '../contract/contract.ts';
import { basisFrom } from '../contract/provenance.ts';
import { numbersOf } from '../judge/recorded-presence.ts';
import { answerSchemas, describedParts, itemsOf, type JudgedAnswer } from '../judge/responses.ts';
import type { Schemas } from '../judge/schemas.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { describe, type SchemaFacts } from '../schema/schema-facts.ts';
import { type Visit, walk } from '../schema/walk.ts';
import { parsePointer } from '../text/pointer.ts';

/** What a run has shown so far. A change may not contradict it. */
export interface Shown {
  /** Whether the program sent this value. It expects its own values back. */
  isSent(value: Json): boolean;
  /** Whether the program has changed a record. It expects to see its change. */
  readonly hasWritten: boolean;
  /** Another id for a record, different for each number. The id itself if the program already knows it. */
  renamed(id: Json, number?: number): Json;
}

export const ABSENT = Symbol('absent');
export type Changed = Json | typeof ABSENT;
type Change = (value: Json, shown: Shown) => Changed;

/** Mutations of one round do not hide each other, so they are tried together. */
export type Round = 'new' | 'long' | 'empty' | 'absent' | 'null';

interface Kind extends Pick<Mutation, 'round' | 'title' | 'because'> {
  /** Also for token responses, whose other members the mock needs. */
  readonly ofTokens?: true;
  /** The change of a place; undefined if the place does not have it. */
  readonly of: (visit: Visit, operation: Operation, contract: Contract) => Change | undefined;
  /** Whether a document or recording shows such an answer. By default, the schemas decide what is allowed. */
  readonly isSeen?: (visit: Visit, contract: Contract) => boolean;
}

/** One change of the answers of an operation. */
export interface Mutation {
  /** `OPERATION:KIND:/POINTER`; without a pointer for the whole answer. */
  readonly id: string;
  readonly kind: string;
  readonly round: Round;
  readonly title: string;
  /** The fact that allows it. */
  readonly because: string;
  readonly operationId: string;
  /** Pointer into the answer, with `*` for items; empty for the whole answer. */
  readonly at: string;
  /** Whether no document and no recording shows it. */
  readonly isHostile: boolean;
  /** Pointer in the bundle to the nearest schema. */
  readonly source: string;
  readonly change: Change;
}

const NEW: JsonObject = { evolvedText: 'evolved', evolvedObject: { evolved: true }, evolvedList: ['evolved'] };
const MANY = 200;
/** Beyond 32 bits. Added, so that differences stay. */
const LARGE = 3_000_000_000;
const FINE = 0.00001;

/** The status and the header field of an answer are changed by whoever applies the mutation. */
export const STATUS = 'status';
export const HEADER = 'header';

const KINDS: Readonly<Record<string, Kind>> = {
  members: {
    round: 'new',
    title: 'new members (a text, an object and a list)',
    because: 'The contract allows members that it does not name.',
    ofTokens: true,
    of: ({ value, node }) => (isObject(value) && !isMap(node) ? extended : undefined),
  },
  order: {
    round: 'new',
    title: 'members in another order',
    because: 'The order of members has no meaning (RFC 8259, 4).',
    ofTokens: true,
    of: ({ at }) => (at === '' ? reversed : undefined),
  },
  [HEADER]: {
    round: 'new',
    title: 'a new header field',
    because: 'Unknown header fields are ignored (RFC 9110, 5.1).',
    ofTokens: true,
    of: ({ at }) => (at === '' ? (value) => value : undefined),
  },
  [STATUS]: {
    round: 'new',
    title: 'another 2xx status',
    because: 'The document states a range of statuses.',
    of: ({ at }, operation, contract) => {
      const range = operation.responses.find(({ status }) => status.toUpperCase() === '2XX');
      const isStated = range !== undefined && contract.provenanceOf(range.pointer) !== 'assumed';
      return at === '' && isStated ? (value) => value : undefined;
    },
  },
  word: {
    round: 'new',
    title: 'a new word',
    because: 'The document shows no closed list of words.',
    of: ({ value, node }) => {
      if (typeof value !== 'string' || node.values?.includes(value) !== true) return undefined;
      const word = value === value.toUpperCase() ? 'EVOLVED' : 'evolved';
      const isKnown = (given: Json): boolean => node.values?.includes(given) === true;
      return (given, { isSent, hasWritten }) => (hasWritten || isSent(given) || !isKnown(given) ? given : word);
    },
  },
  'long-id': {
    round: 'new',
    title: 'longer ids',
    because: 'The contract does not limit this length.',
    of: ({ at }) => (isId(at) ? (given, { renamed }) => renamed(given) : undefined),
  },
  large: {
    round: 'new',
    title: 'a larger number',
    because: 'The contract does not limit this number.',
    of: ({ at, value }) => (typeof value === 'number' && !isId(at) ? raised(LARGE) : undefined),
  },
  precise: {
    round: 'new',
    title: 'a more precise number',
    because: 'The contract does not limit the precision.',
    of: ({ at, value, node }) => {
      const mayBe = typeof value === 'number' && (!Number.isInteger(value) || node.types.includes('number'));
      return mayBe && !isId(at) ? raised(FINE) : undefined;
    },
  },
  many: {
    round: 'long',
    title: `a list of ${MANY}`,
    because: 'The contract does not limit the length of the list.',
    of: ({ value }) => (Array.isArray(value) && isObject(value[0]) ? lengthened : undefined),
  },
  empty: {
    round: 'empty',
    title: 'an empty list',
    because: 'The contract allows a list without items.',
    of: ({ value }) =>
      Array.isArray(value) && value.length > 0 ? (given, { hasWritten }) => (hasWritten ? given : []) : undefined,
  },
  absent: {
    round: 'absent',
    title: 'an absent member',
    because: 'A recording saw answers without it.',
    of: ({ kind, value }) => (kind === 'named' && value !== undefined ? () => ABSENT : undefined),
    isSeen: wasMissing,
  },
  null: {
    round: 'null',
    title: 'null',
    because: 'The contract allows null, or a recording saw it.',
    of: ({ kind, value }) => (kind === 'named' && value !== undefined && value !== null ? () => null : undefined),
    isSeen: mayBeNull,
  },
};

/** A map has any names already. */
function isMap({ properties, others }: SchemaFacts): boolean {
  return properties.size === 0 && others.length > 0;
}

/** Whether the last name of a pointer is that of an id. */
export function isId(at: string): boolean {
  return /^(?:id|.*(?:Id|ID|[_-]id))$/.test(parsePointer(at)?.findLast((name) => name !== '*') ?? '');
}

function extended(value: Json): Json {
  return isObject(value) ? { ...value, ...NEW } : value;
}

function raised(by: number): Change {
  return (given, { isSent }) => (typeof given !== 'number' || isSent(given) ? given : given + by);
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

/** The further items are copies of records, with ids of their own. */
function lengthened(value: Json, { renamed }: Shown): Json {
  if (!Array.isArray(value) || value.length === 0 || value.length >= MANY) return value;
  const copy = (item: Json, number: number, name = ''): Json => {
    if (Array.isArray(item)) return item.map((inner) => copy(inner, number));
    if (!isObject(item)) return isId(`/${name}`) ? renamed(item, number) : item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, copy(inner, number, key)]));
  };
  return Array.from({ length: MANY }, (_, index) => {
    const item = value[index % value.length] as Json;
    return index < value.length ? item : copy(item, index);
  });
}

/** A recording names the member and does not require it. Its numbers say that some answers lacked it. */
function wasMissing({ node }: Visit, contract: Contract): boolean {
  return node.pointers.some((pointer) => {
    const { in: times, of } = numbersOf(Object(contract.at(pointer))['x-seen']);
    return contract.provenanceOf(pointer) === 'observed' && times !== undefined && times !== of;
  });
}

function mayBeNull({ node }: Visit, contract: Contract): boolean {
  return node.parts.some(({ pointer, schema }) => {
    const isNamed = [schema.type].flat().includes('null') || schema.nullable === true;
    return isNamed && contract.provenanceOf(pointer) !== 'assumed';
  });
}

/** Every mutation of a good JSON answer that the contract allows. */
export function mutationsOf(
  sample: JudgedAnswer,
  contract: Contract,
  schemas: Schemas,
  isHostile: boolean,
): Mutation[] {
  const { operation, status, content } = sample;
  if (content.kind !== 'json') return [];
  const schemasOf = answerSchemas(contract, operation, status);
  const entries = schemasOf.map(({ schema }) => schema);
  const ofBody = schemasOf.filter(({ ofItems }) => !ofItems).map(({ schema }) => schema);
  const basis = basisFrom(contract, ...entries);
  const faultsOf = (value: unknown): number =>
    describedParts(contract, { ...sample, content: { ...content, value } })
      .flatMap((part) => schemas.problems(part.schema, part.value))
      .filter(({ schema }) => basis(schema) !== 'assumed').length;
  const usual = faultsOf(content.value);
  const allows = (at: string, change: Change): boolean =>
    faultsOf(changedAt(content.value as Json, at, (part) => change(part, NOTHING_SHOWN))) <= usual;
  const found = new Map<string, Mutation | null>();
  const see = (visit: Visit): void => {
    const { at, node } = visit;
    for (const [kind, { of, isSeen, ofTokens = false, ...about }] of Object.entries(KINDS)) {
      const id = [operation.operationId, kind, ...(at === '' ? [] : [at])].join(':');
      const change =
        found.has(id) || (operation.auth === 'issues' && !ofTokens) ? undefined : of(visit, operation, contract);
      if (change === undefined) continue;
      const seen = isSeen?.(visit, contract);
      const isMild = seen ?? allows(at, change);
      const isHarsh = !isMild && isHostile && seen === false && allows(at, () => ABSENT);
      const source = node.pointers.at(-1) ?? entries.at(-1) ?? operation.pointer;
      const because = isHarsh ? 'No document states that it is always there.' : about.because;
      const mutation = { ...about, because, id, kind, operationId: operation.operationId, at, source, change };
      found.set(id, isMild || isHarsh ? { ...mutation, isHostile: isHarsh } : null);
    }
  };
  walk(describe(contract, ofBody), content.value, see, itemsOf(contract, sample) ?? undefined);
  return [...found.values()].filter((mutation) => mutation !== null);
}

const NOTHING_SHOWN: Shown = { isSent: () => false, hasWritten: false, renamed: anotherId };

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A longer id, or another id for each number. */
export function anotherId(id: Json, number?: number): Json {
  if (typeof id === 'number') return number === undefined ? id + LARGE : id + 1_000_000 * number;
  if (typeof id !== 'string' || id === '') return id;
  if (number === undefined) return id + '0'.repeat(40);
  const digits = String(number).padStart(6, '9');
  return UUID.test(id) ? id.slice(0, -6) + digits : id + digits;
}

/** A value with a change at each place of a pointer. */
export function changedAt(value: Json, at: string, change: (part: Json) => Changed): Changed {
  return inside(value, parsePointer(at) ?? [], change);
}

function inside(value: Json, [first, ...rest]: readonly string[], change: (part: Json) => Changed): Changed {
  if (first === undefined) return change(value);
  const isThere = (part: Changed): part is Json => part !== ABSENT;
  if (Array.isArray(value))
    return first === '*' ? value.map((item) => inside(item as Json, rest, change)).filter(isThere) : value;
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Changed] => [
    name,
    first === '*' || first === name ? inside(member, rest, change) : member,
  ]);
  return Object.fromEntries(members.filter((member): member is [string, Json] => isThere(member[1])));
}
