import { memberAt, truthOf } from '../../spec/conditions.ts';
import { currenciesOf, type Maxima } from '../../spec/limits.ts';
import type { Profile } from '../profile.ts';
import { type Condition, type Entities, idOf, type Kind, referencesOf } from './entities.ts';
import type { Hooks } from './hooks.ts';
import { Making } from './making.ts';
import { createRandom } from './random.ts';
import type { Draft, Value } from './records.ts';
import { notFound, Refused, unknownReference } from './refusals.ts';
import { compileForm, type Make } from './values.ts';

/** A request that passed every check of form. */
export interface Asked {
  readonly tenant: string;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** As sent, without `?`. */
  readonly query: string;
  readonly body: unknown;
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly now: number;
  readonly profile: Profile;
}

/** A kind, compiled: everything that verbs do with its records. */
export interface CompiledKind {
  readonly name: string;
  /** Path parameter and field of its id. */
  readonly id: string;
  /** Fields that name records of other kinds. */
  readonly references: readonly string[];
  readonly maxima: Maxima | null;
  /** All members of a record, none of them known: a copy has its shape from the start, which is cheaper than growing into it. */
  readonly blank: Value;
  /** True of a record that is not changed any more. */
  readonly isFinal: (record: Value) => boolean;
  /** The condition of a field that is refused where it does not hold. */
  readonly refusing: readonly (readonly [field: string, condition: Condition & { readonly refuses: string }])[];
  /** The records that the path names beside the one itself; refused where one is not there. */
  readonly inPath: (draft: Draft, asked: Asked) => Readonly<Record<string, string>> | Refused;
  /** The records that a request for a new one names, or that are chosen for it. */
  readonly chosen: (draft: Draft, asked: Asked, sent: Value) => Readonly<Record<string, string>> | Refused;
  /** The first thing that a change names and that is not there. */
  readonly dangling: (draft: Draft, sent: Value) => Refused | undefined;
  readonly make: (draft: Draft, making: Making, ids: Readonly<Record<string, string>>) => Value;
  /** What a record is made or changed with. `ids` are those of the records that it names. */
  readonly making: (draft: Draft, asked: Asked, record: Value, sent: Value, ids: Value) => Making;
  /** A record as it is shown. */
  readonly show: (record: Value, profile: Profile, now: number) => Value;
  /** Removes a record and all that belongs to it. */
  readonly remove: (draft: Draft, id: string) => void;
}

export type Kinds = ReadonlyMap<string, CompiledKind>;

/** @param number Seed of what is generated. */
export function compileKinds(entities: Entities, hooks: Hooks, number: number): Kinds {
  const compiled = new Map<string, CompiledKind>();
  for (const [name, kind] of Object.entries(entities.file.kinds)) {
    const { maxima = null } = entities.kinds[name] ?? {};
    const currencies = currenciesOf(maxima);
    const references = createReferences(kind, entities.file.kinds);
    const id = idOf(kind);
    const belongings = Object.entries(entities.file.kinds).flatMap(([child, its]) => {
      const [parent] = referencesOf(its);
      return parent?.of === name ? [{ child, field: parent.field, id: idOf(its) }] : [];
    });
    const final = Object.entries(kind.final ?? {});
    compiled.set(name, {
      name,
      id,
      maxima,
      blank: Object.fromEntries([id, ...Object.keys(kind.fields)].map((field) => [field, undefined])),
      ...references,
      isFinal: (record) => final.length > 0 && final.every(([field, value]) => record[field] === value),
      refusing: [...conditionsOf(entities, name)].flatMap(([field, { refuses, ...condition }]) =>
        refuses === undefined ? [] : [[field, { ...condition, refuses }] as const],
      ),
      make: createMake(name, kind, entities, hooks),
      making: (draft, asked, record, sent, ids) =>
        new Making(
          { record, sent },
          asked,
          (field) => references.named(draft, field, ids[field]),
          { maxima, currencies },
          () => createRandom(`${number}/${asked.tenant}/${name}/${draft.next(name)}`),
        ),
      show: createShow(kind, conditionsOf(entities, name)),
      remove(draft, gone) {
        draft.remove(name, gone);
        for (const { child, field, id: its } of belongings) {
          for (const record of draft.list(child))
            if (record[field] === gone) compiled.get(child)?.remove(draft, String(record[its]));
        }
      },
    });
  }
  return compiled;
}

/** The records of other kinds that those of a kind name. */
function createReferences(kind: Kind, kinds: Entities['file']['kinds']) {
  const all = referencesOf(kind).map((reference, index) => {
    const its = kinds[reference.of] as Kind;
    // what both name must be the same: the user of a card is one of its client
    const shared = referencesOf(its).filter(({ field, of }) =>
      referencesOf(kind).some((one) => one.field === field && one.of === of),
    );
    return {
      ...reference,
      isParent: index === 0,
      shared: shared.map(({ field }) => field),
      wanted: Object.entries(reference.where ?? {}),
    };
  });
  type Ids = Record<string, string>;

  const inPath = (draft: Draft, { parameters }: Asked): Ids | Refused => {
    const ids: Ids = {};
    for (const { field, of } of all) {
      const id = parameters[field];
      if (id === undefined) continue;
      if (!draft.get(of, id)) return notFound(of, field);
      ids[field] = id;
    }
    return ids;
  };

  return {
    references: all.map(({ field }) => field),
    inPath,
    named(draft: Draft, field: string, id: unknown): Value | undefined {
      const reference = all.find((one) => one.field === field);
      return reference && typeof id === 'string' ? draft.get(reference.of, id) : undefined;
    },
    dangling(draft: Draft, sent: Value): Refused | undefined {
      const lost = all.find(({ field, of }) => typeof sent[field] === 'string' && !draft.get(of, String(sent[field])));
      return lost && unknownReference(lost.of, lost.field);
    },
    chosen(draft: Draft, asked: Asked, sent: Value): Ids | Refused {
      const ids = inPath(draft, asked);
      if (ids instanceof Refused) return ids;
      const fits = (record: Value, shared: readonly string[]): boolean =>
        shared.every((field) => ids[field] === undefined || ids[field] === record[field]);
      for (const { field, of, shared } of all) {
        const id = sent[field];
        if (ids[field] !== undefined || typeof id !== 'string') continue;
        const record = draft.get(of, id);
        if (!record || !fits(record, shared)) return unknownReference(of, field);
        ids[field] = id;
        for (const one of shared) ids[one] = String(record[one]);
      }
      for (const { field, of, shared, wanted, isParent } of all) {
        if (ids[field] !== undefined) continue;
        const found = draft.first(
          of,
          (record) =>
            fits(record, shared) &&
            wanted.every(([member, values]) => (values as readonly unknown[]).includes(record[member])),
        );
        if (found) ids[field] = String(found[idOf(kinds[of] as Kind)]);
        else if (isParent) return unknownReference(of, field);
      }
      return ids;
    },
  };
}

/** Fields are made in the order in which they are described, so that each may build on those before it. */
function createMake(name: string, kind: Kind, entities: Entities, hooks: Hooks): CompiledKind['make'] {
  const id = idOf(kind);
  const makeId = compileForm(kind.id[id] ?? '', hooks) as Make;
  const conditions = conditionsOf(entities, name);
  const together = new Set(kind.together);
  const steps = Object.entries(kind.fields).map(([field, form]) => {
    const isReference = typeof form === 'object' && form?.of !== undefined;
    return {
      field,
      isReference,
      isTogether: together.has(field),
      make: compileForm(form, hooks),
      condition: conditions.get(field),
    };
  });
  return (draft, making, ids) => {
    const { record, sent, profile } = making;
    do record[id] = makeId(making);
    while (draft.get(name, String(record[id])));
    const hasOne = kind.together?.some((field) => sent[field] !== undefined);
    for (const { field, isReference, isTogether, make, condition } of steps) {
      let value = isReference ? ids[field] : sent[field];
      const isMade = value === undefined && make !== null && !(isTogether && hasOne);
      if (isMade && (!condition || truthOf(condition, { record, profile }) !== false)) value = make(making);
      if (value !== undefined) record[field] = value;
    }
    return record;
  };
}

/** When a field is there, by its name. */
type Conditions = ReadonlyMap<string, Condition>;

function conditionsOf({ file, kinds }: Entities, name: string): Conditions {
  const found = Object.entries(kinds[name]?.conditions ?? {});
  return new Map(found.map(([field, condition]) => [field, file.conditions?.[condition] ?? {}]));
}

function createShow({ hidden = [], shown = {}, becomes }: Kind, conditions: Conditions): CompiledKind['show'] {
  const more = Object.entries(shown).map(([name, text]) => [name, compileForm(text, {}) as ShownMake] as const);
  const { at, ...become } = becomes ?? {};
  const byRecord = [...conditions].filter(([, { record }]) => record !== undefined);
  let last: Profile | undefined;
  let dropped: readonly string[] = [];
  // what a profile drops of every record
  const droppedOf = (profile: Profile): readonly string[] => {
    const absent = [...conditions].filter(([, condition]) => truthOf(condition, { profile }) === false);
    return [...hidden, ...absent.map(([field]) => field)];
  };
  return (record, profile, now) => {
    if (profile !== last) {
      dropped = droppedOf(profile);
      last = profile;
    }
    let gone = dropped;
    for (const [field, condition] of byRecord) {
      if (record[field] !== undefined && truthOf(condition, { record }) === false) gone = [...gone, field];
    }
    const isDue = at !== undefined && Date.parse(String(memberAt(record, at))) <= now;
    if (gone.length === 0 && more.length === 0 && !isDue) return record;
    const value: Record<string, unknown> = { ...record };
    for (const field of gone) delete value[field];
    if (isDue) Object.assign(value, become);
    for (const [name, make] of more) value[name] = make({ record, profile, now });
    return value;
  };
}

/** What is shown beside the fields is not random. */
type ShownMake = (of: Pick<Making, 'record' | 'profile' | 'now'>) => unknown;
