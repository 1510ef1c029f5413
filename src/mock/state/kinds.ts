import type { Condition, Kind } from '../../../generated/mock/entities.ts';
import { memberAt, truthOf } from '../../contract/conditions.ts';
import type { Maxima } from '../../contract/limits.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { Profile } from '../tenant/profile.ts';
import { type Entities, idInBody, idOf, type KindFacts, referencesOf } from './entities.ts';
import type { Defect } from './entities-file.ts';
import { type Hooks, type Maker, Making } from './hooks.ts';
import { createRandom, type Random } from './random.ts';
import type { Draft, Value } from './records.ts';
import {
  createRefusals,
  type Existing,
  existing,
  notFound,
  type Refusals,
  RefusedChange,
  unknownReference,
} from './refusals.ts';
import { BY_SCHEMA, compileForm, compileForms, type Make, OF_PATH, spanOf } from './values.ts';

export interface Asked {
  readonly tenant: string;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** As sent, without `?`. */
  readonly query: string;
  readonly body: unknown;
  /** The body states changes (RFC 7396). */
  readonly isMergePatch?: boolean;
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly now: number;
  readonly profile: Profile;
}

/** A random choice considers this many records at most, so that its cost does not grow with the number of records. */
const MOST_CHOICES = 50;
/** Limit of the numbers from which an id is made. */
const MOST_IDS = 2 ** 31;

export type Kinds = ReadonlyMap<string, CompiledKind>;

/** @param number Seed of the generated values. */
export function compileKinds(entities: Entities, hooks: Hooks, number: number): Kinds {
  const kinds = new Map<string, CompiledKind>();
  const refusals = createRefusals(entities.file);
  for (const name of Object.keys(entities.file.kinds))
    kinds.set(name, new CompiledKind(name, { entities, hooks, number, kinds, refusals }));
  return kinds;
}

interface Scene {
  readonly entities: Entities;
  readonly hooks: Hooks;
  readonly number: number;
  readonly kinds: Kinds;
  readonly refusals: Refusals;
}

interface Reference {
  readonly field: string;
  readonly of: string;
  /** Fields that both records have and that must match: the author of a loan's book must be the loan's author. */
  readonly shared: readonly string[];
  /** Values a record must have to be chosen if the request names no record. */
  readonly wanted: readonly (readonly [member: string, values: readonly unknown[]])[];
  /** A generated record refers to a random match, not to the first match. */
  readonly isVaried: boolean;
}

interface Step {
  readonly field: string;
  readonly make: Make;
  readonly condition: Condition | undefined;
  /** The rule that refuses the record if no value can be generated. */
  readonly guard: string | undefined;
}

export class CompiledKind implements Maker {
  readonly name: string;
  readonly id: string;
  readonly maxima: Maxima | null;
  readonly references: readonly Reference[];
  /** Milliseconds over which many new records are spread; 0: all are made now. */
  readonly over: number;
  readonly conditions: ReadonlyMap<string, Condition>;
  readonly show: (record: Value, profile: Profile, now: number) => Value;
  /** All members, each undefined. A copy has the final shape from the start, which is cheaper than adding members. */
  readonly #blank: Value;
  readonly #makeId: Make;
  /** Name of the id in bodies. */
  readonly idInBody: string;
  readonly #isNumbered: boolean;
  readonly #allowedId: KindFacts['allowedId'];
  /** In the order of the described fields, so that each field can use the fields before it. */
  readonly #steps: readonly Step[];
  readonly #variedSteps: readonly Step[];
  readonly #together: readonly string[];
  /** Fields with a parameter of the path that names no record. */
  readonly #scopes: readonly string[];
  readonly #final: readonly (readonly [field: string, value: unknown])[];
  /** Kinds whose records belong to a record of this kind, each with the field that refers to it. */
  readonly #belongings: readonly (readonly [kind: string, field: string])[];
  readonly #number: number;
  readonly #kinds: Kinds;
  readonly #refusals: Refusals;

  constructor(name: string, { entities, hooks, number, kinds, refusals }: Scene) {
    const { file } = entities;
    const kind = file.kinds[name] as Kind;
    const facts = entities.kinds[name];
    const { conditions = {}, maxima = null, hidden = [], isNumbered = false, allowedId, sample } = facts ?? {};
    this.name = name;
    this.#isNumbered = isNumbered;
    this.#allowedId = allowedId;
    this.id = idOf(kind);
    this.maxima = maxima;
    this.over = spanOf(kind.over ?? '0s');
    this.conditions = new Map(
      Object.entries(conditions).map(([field, condition]) => [field, file.conditions?.[condition] ?? {}]),
    );
    const own = referencesOf(kind);
    this.references = own.map(({ field, of, where = {} }) => {
      const both = referencesOf(file.kinds[of] as Kind).filter((its) =>
        own.some((one) => one.field === its.field && one.of === its.of),
      );
      const isVaried = Object.hasOwn(kind.generated ?? {}, field);
      return { field, of, shared: both.map((one) => one.field), wanted: Object.entries(where), isVaried };
    });
    this.show = createShow({ ...kind, hidden: [...(kind.hidden ?? []), ...hidden] }, this.conditions);
    this.#blank = Object.fromEntries([this.id, ...Object.keys(kind.fields)].map((field) => [field, undefined]));
    this.#makeId = compileForm(kind.id[this.id] ?? '', hooks);
    this.idInBody = idInBody(kind) ?? this.id;
    this.#scopes = Object.keys(kind.fields).filter((field) => kind.fields[field] === OF_PATH);
    const stepsOf = (forms: Kind['fields']): readonly Step[] =>
      compileForms(forms, hooks)
        .filter(([field]) => !(this.#scopes.includes(field) || own.some((reference) => reference.field === field)))
        .map(([field, compiled]) => {
          const form = forms[field];
          const bySchema: Make = (making) => sample && making.sampled(sample)[field];
          const make = form === BY_SCHEMA ? bySchema : compiled;
          const guard = typeof form === 'object' ? form?.guard : undefined;
          return { field, make, condition: this.conditions.get(field), guard };
        });
    this.#steps = stepsOf(kind.fields);
    this.#variedSteps = stepsOf({ ...kind.generated, ...kind.fields, ...kind.generated });
    this.#together = kind.together ?? [];
    this.#final = Object.entries(kind.final ?? {});
    this.#belongings = Object.entries(file.kinds).flatMap(([child, its]) => {
      const [parent] = referencesOf(its);
      return parent?.of === name ? [[child, parent.field] as const] : [];
    });
    this.#number = number;
    this.#kinds = kinds;
    this.#refusals = refusals;
  }

  random(draft: Draft, tenant: string): Random {
    return createRandom(`${this.#number}/${tenant}/${this.name}/${draft.next(this.name)}`);
  }

  named(draft: Draft, field: string, id: unknown): Value | undefined {
    const reference = this.references.find((one) => one.field === field);
    return reference && isId(id) ? draft.get(reference.of, String(id)) : undefined;
  }

  isFinal(record: Value): boolean {
    return this.#final.length > 0 && this.#final.every(([field, value]) => record[field] === value);
  }

  find(draft: Draft, { parameters }: Asked): Value | RefusedChange {
    const id = parameters[this.id] ?? '';
    const record = draft.get(this.name, id);
    const isMeant = (one: Value): boolean => {
      return (
        this.references.every(({ field }) => isSameId(parameters[field] ?? one[field], one[field])) &&
        this.isWithin(one, parameters)
      );
    };
    if (record !== undefined && isMeant(record)) return record;
    return notFound(this.name, this.id, this.#near(draft, this.name, id, isMeant));
  }

  /** Existing ids of a kind, the most likely match first. */
  #near(draft: Draft, of: string, wanted: unknown, fits: (record: Value) => boolean = () => true): Existing {
    const id = this.#kinds.get(of)?.id ?? '';
    const ids = draft.list(of).flatMap((one) => (fits(one) ? [one[id]] : []));
    return existing(wanted, ids);
  }

  inPath(draft: Draft, { parameters }: Asked): Record<string, unknown> | RefusedChange {
    const ids: Record<string, unknown> = {};
    for (const field of this.#scopes) if (parameters[field] !== undefined) ids[field] = parameters[field];
    for (const { field, of } of this.references) {
      const id = parameters[field];
      if (id === undefined) continue;
      const record = draft.get(of, id);
      if (!record) return notFound(of, field, this.#near(draft, of, id));
      ids[field] = this.#idOf(of, record);
    }
    return ids;
  }

  /** Whether a record has the values that a path names. A record of the seed has none. */
  isWithin(record: Value, named: Value): boolean {
    return this.#scopes.every(
      (field) => record[field] === undefined || isSameId(named[field] ?? record[field], record[field]),
    );
  }

  dangling(draft: Draft, sent: Value): RefusedChange | undefined {
    for (const { field, of } of this.references)
      if (isId(sent[field]) && !draft.get(of, String(sent[field])))
        return unknownReference(of, field, this.#near(draft, of, sent[field]));
    return undefined;
  }

  /** In a path each id is a text; a record may have a number. */
  #idOf(of: string, record: Value): unknown {
    return record[this.#kinds.get(of)?.id ?? ''];
  }

  /** The ids a new record refers to: named by the request, or chosen. Refused without the first, its parent. */
  chosen(draft: Draft, asked: Asked, sent: Value, isGenerated = false): Value | RefusedChange {
    const ids = this.inPath(draft, asked);
    if (ids instanceof RefusedChange) return ids;
    for (const { field, of, shared } of this.references) {
      const id = sent[field];
      if (ids[field] !== undefined || !isId(id)) continue;
      const record = draft.get(of, String(id));
      if (!record || !isOf(ids, record, shared))
        return unknownReference(
          of,
          field,
          this.#near(draft, of, id, (one) => isOf(ids, one, shared)),
        );
      ids[field] = this.#idOf(of, record);
      for (const one of shared) ids[one] = record[one];
    }
    for (const { field, of, shared, wanted, isVaried } of this.references) {
      if (ids[field] !== undefined) continue;
      const fits = (record: Value): boolean => isOf(ids, record, shared) && hasOneOf(record, wanted);
      const found = isGenerated && isVaried ? this.#anyOf(draft, asked.tenant, of, fits) : draft.first(of, fits);
      if (found) ids[field] = this.#idOf(of, found);
      else if (field === this.references[0]?.field) return unknownReference(of, field);
    }
    return ids;
  }

  #anyOf(draft: Draft, tenant: string, of: string, fits: (record: Value) => boolean): Value | undefined {
    const some: Value[] = [];
    draft.first(of, (record) => fits(record) && some.push(record) === MOST_CHOICES);
    return some.length === 0 ? undefined : this.random(draft, tenant).oneOf(some);
  }

  /** An id with the type that the contract states. */
  typed(id: unknown): unknown {
    return (this.#isNumbered && Math.floor(Number(id))) || id;
  }

  begin(draft: Draft, asked: Asked, sent: Value, ids: Value): Making {
    return new Making(this, draft, asked, { record: { ...this.#blank, ...ids }, sent, ids });
  }

  change(draft: Draft, asked: Asked, record: Value, sent: Value): Making {
    return new Making(this, draft, asked, { record, sent, ids: record });
  }

  /** Stores the new record, without the members of `absent`. Refused if a required member cannot be generated. */
  make(draft: Draft, making: Making, absent: readonly string[] = [], isGenerated = false): Value | RefusedChange {
    const { record, sent } = making;
    const given = sent[this.id] ?? sent[this.idInBody];
    record[this.id] = isId(given) && given !== '' ? given : undefined;
    for (let tries = 0; record[this.id] === undefined || draft.get(this.name, String(record[this.id])); tries += 1) {
      const made = this.typed(this.#makeId(making));
      // an enum may have too few ids
      const isRuled = this.#allowedId !== undefined && tries < MOST_CHOICES;
      record[this.id] = isRuled ? this.#allowedId(made, making.random.number(MOST_IDS)) : made;
    }
    const isGiven = this.#together.some((field) => sent[field] !== undefined);
    for (const { field, make, condition, guard } of isGenerated ? this.#variedSteps : this.#steps) {
      if (absent.includes(field)) continue;
      if (sent[field] !== undefined && field !== this.idInBody) record[field] = sent[field];
      else if (!(isGiven && this.#together.includes(field)) && (!condition || truthOf(condition, making) !== false)) {
        record[field] = make(making);
        if (guard !== undefined && record[field] === undefined) return this.#refusals.guard(guard);
      }
    }
    for (const { field } of this.references) if (absent.includes(field)) record[field] = undefined;
    return draft.put(this.name, String(record[this.id]), record);
  }

  *misplaced(fields: readonly string[], known: Parameters<typeof truthOf>[1]): Generator<Defect> {
    for (const [field, condition] of this.conditions)
      if (fields.includes(field) && truthOf(condition, known) === false)
        yield { pointer: joinPointer('', field), message: 'It does not belong here.' };
  }

  /** References of a record to missing records, or to records whose shared fields differ from its own. */
  *lost(record: Value, find: (of: string, id: string) => Value | undefined): Generator<Defect> {
    for (const { field, of, shared } of this.references) {
      const id = record[field] ?? undefined;
      const named = id === undefined ? undefined : find(of, String(id));
      const differs = (one: string): boolean => (record[one] ?? named?.[one]) !== (named?.[one] ?? record[one]);
      if (id !== undefined && (!named || shared.some(differs)))
        yield { pointer: joinPointer('', field), message: `There is no ${of} ${JSON.stringify(id)} here.` };
    }
  }

  remove(draft: Draft, id: unknown): void {
    draft.remove(this.name, String(id));
    for (const [child, field] of this.#belongings) {
      const kind = this.#kinds.get(child);
      for (const record of draft.list(child)) if (isSameId(record[field], id)) kind?.remove(draft, record[kind.id]);
    }
  }
}

/** The given members, and the names of the null ones. Null members are absent and are not generated. */
export function split(given: Value): { readonly sent: Record<string, unknown>; readonly absent: readonly string[] } {
  const sent = Object.entries(given).filter(([, value]) => value !== null);
  const absent = Object.keys(given).filter((field) => given[field] === null);
  return { sent: Object.fromEntries(sent), absent };
}

function isOf(ids: Value, record: Value, shared: readonly string[]): boolean {
  for (const field of shared) if (ids[field] !== undefined && !isSameId(ids[field], record[field])) return false;
  return true;
}

export function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

export function isSameId(one: unknown, other: unknown): boolean {
  return one === other || (isId(one) && isId(other) && String(one) === String(other));
}

function hasOneOf(record: Value, wanted: Reference['wanted']): boolean {
  for (const [member, values] of wanted) if (!values.includes(record[member])) return false;
  return true;
}

function createShow(
  { hidden = [], shown, becomes }: Kind,
  conditions: CompiledKind['conditions'],
): CompiledKind['show'] {
  const more = compileForms(shown, {});
  const { at, then: _, ...become } = becomes ?? {};
  const byRecord = [...conditions].filter(([, { record }]) => record !== undefined);
  let last: Profile | undefined;
  let dropped: readonly string[] = [];
  return (record, profile, now) => {
    if (profile !== last) {
      // fields that the profile removes from every record
      const absent = [...conditions].filter(([, condition]) => truthOf(condition, { profile }) === false);
      dropped = [...hidden, ...absent.map(([field]) => field)];
      last = profile;
    }
    let gone = dropped;
    for (const [field, condition] of byRecord)
      if (record[field] !== undefined && truthOf(condition, { record }) === false) gone = [...gone, field];
    const isDue = at !== undefined && Date.parse(String(memberAt(record, at))) <= now;
    // a copy without some members serializes more slowly, and most records lack these members anyway
    if (more.length === 0 && !isDue && gone.every((field) => record[field] === undefined)) return record;
    const value: Record<string, unknown> = { ...record };
    for (const field of gone) delete value[field];
    if (isDue) Object.assign(value, become);
    // members of `shown` use no randomness
    for (const [name, make] of more) value[name] = make({ record, profile, now } as unknown as Making);
    return value;
  };
}
