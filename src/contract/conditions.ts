import type { Fulfilment } from './assumed.ts';
import type { Contract } from './contract.ts';
import { fieldsWith, objectsAt } from './limits.ts';
import { joinPointer } from './pointer.ts';

/** A field that is there, or means something, under a condition only. */
export interface ConditionalField {
  readonly field: string;
  /** Name of the condition. */
  readonly condition: string;
  /** `only`: without it the field is not there (`x-only-when`). `meaningful`: without it the field means nothing (`x-meaningful-when`). */
  readonly kind: 'only' | 'meaningful';
  /** Pointer in the bundle of the word that says so. */
  readonly pointer: string;
}

/** Says under which condition a field is there. */
export const ONLY_WHEN = 'x-only-when';

const WORDS = [
  ['only', ONLY_WHEN],
  ['meaningful', 'x-meaningful-when'],
] as const;

/** The conditional fields of the object at a pointer of a schema, references followed. */
export function conditionalFieldsOf(contract: Contract, schemaPointer: string): ConditionalField[] {
  return WORDS.flatMap(([kind, word]) =>
    fieldsWith(contract, word, schemaPointer).flatMap(({ field, value, pointer }): ConditionalField[] =>
      typeof value === 'string' ? [{ field, condition: value, kind, pointer }] : [],
    ),
  );
}

/** A condition, and where it stands. */
export interface OnlyWhen {
  readonly condition: string;
  readonly pointer: string;
}

/** The same few fields are asked about for each item of a list. */
const known = new WeakMap<Contract, Map<string, OnlyWhen | null>>();

/** The condition under which alone the field is there that some schemas describe together. */
export function onlyWhen(contract: Contract, schemas: readonly string[]): OnlyWhen | null {
  const answers = known.get(contract) ?? new Map<string, OnlyWhen | null>();
  known.set(contract, answers);
  const key = schemas.join('\n');
  let answer = answers.get(key);
  if (answer === undefined) {
    answer = findOnlyWhen(contract, schemas);
    answers.set(key, answer);
  }
  return answer;
}

function findOnlyWhen(contract: Contract, schemas: readonly string[]): OnlyWhen | null {
  for (const schema of schemas.flatMap((pointer) => objectsAt(contract, pointer))) {
    const pointer = joinPointer(schema, ONLY_WHEN);
    const condition = contract.at(pointer);
    if (typeof condition === 'string') return { condition, pointer };
  }
  return null;
}

/** Whether a condition holds: unknown where nothing tells. */
export type Truth = boolean | 'unknown';

/** What a condition is asked about. A part that is left out is not known. */
export interface Subject {
  readonly record?: unknown;
  readonly profile?: unknown;
}

/** Whether a subject fulfils a condition. A member that it lacks makes it unknown; one member that differs is enough to say no. */
export function truthOf(fulfilment: Fulfilment | undefined, subject: Subject): Truth {
  const record = truthOfPart(fulfilment?.record, subject.record);
  const profile = truthOfPart(fulfilment?.profile, subject.profile);
  if (record === false || profile === false) return false;
  return record === 'unknown' || profile === 'unknown' ? 'unknown' : (record ?? profile ?? 'unknown');
}

/** Undefined where nothing is asked of the part. */
function truthOfPart(wanted: Readonly<Record<string, unknown>> | undefined, value: unknown): Truth | undefined {
  let truth: Truth | undefined;
  for (const path in wanted) {
    const actual = memberAt(value, path);
    if (actual === undefined) truth = 'unknown';
    else if (actual !== wanted[path]) return false;
    else truth ??= true;
  }
  return truth;
}

/** The member of a value at a path of names, such as `sender.name`; undefined where there is none of its own. */
export function memberAt(value: unknown, path: string): unknown {
  return path.includes('.') ? path.split('.').reduce<unknown>(member, value) : member(value, path);
}

/** The own member of a value; undefined where it has none. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
