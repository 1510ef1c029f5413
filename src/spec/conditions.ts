import type { Contract } from './contract.ts';
import { isObject } from './facts.ts';
import { objectsAt } from './limits.ts';
import { joinPointer } from './pointer.ts';

/** A field that is there, or means something, under a condition only. */
export interface ConditionalField {
  readonly field: string;
  /** Name of the condition. */
  readonly condition: string;
  /** `only`: without it the field is not there (`x-only-when`). `meaningful`: without it the field means nothing (`x-meaningful-when`). */
  readonly kind: 'only' | 'meaningful';
  /** Pointer in the bundle of the field's schema. */
  readonly pointer: string;
}

const WORDS = [
  ['only', 'x-only-when'],
  ['meaningful', 'x-meaningful-when'],
] as const;

/** The conditional fields of the object at a pointer of a schema, references followed. */
export function conditionalFieldsOf(contract: Contract, schemaPointer: string): ConditionalField[] {
  return objectsAt(contract, schemaPointer).flatMap((schema) => {
    const properties = contract.at(joinPointer(schema, 'properties'));
    return Object.entries(isObject(properties) ? properties : {}).flatMap(([field, property]) =>
      WORDS.flatMap(([kind, word]): ConditionalField[] => {
        const condition = isObject(property) ? property[word] : undefined;
        if (typeof condition !== 'string') return [];
        return [{ field, condition, kind, pointer: joinPointer(schema, 'properties', field) }];
      }),
    );
  });
}

/** Whether a condition holds: unknown where nothing tells. */
export type Truth = boolean | 'unknown';

/** What fulfils a condition where the reference does not say: members of a record, or of the profile, each under its path (`a.b`). */
export interface Fulfilment {
  readonly record?: Readonly<Record<string, unknown>>;
  readonly profile?: Readonly<Record<string, unknown>>;
}

/** What a condition is asked about. A part that is left out is not known. */
export interface Subject {
  readonly record?: unknown;
  readonly profile?: unknown;
}

/** Whether a subject fulfils a condition. A member that it lacks makes it unknown; one member that differs is enough to say no. */
export function truthOf(fulfilment: Fulfilment | undefined, subject: Subject): Truth {
  if (fulfilment === undefined) return 'unknown';
  const answers = (['record', 'profile'] as const).flatMap((part) =>
    Object.entries(fulfilment[part] ?? {}).map(([path, wanted]): Truth => {
      const actual = memberAt(subject[part], path);
      return actual === undefined ? 'unknown' : actual === wanted;
    }),
  );
  if (answers.includes(false)) return false;
  return answers.includes('unknown') || answers.length === 0 ? 'unknown' : true;
}

function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return (at as Readonly<Record<string, unknown>>)[name];
  }, value);
}
