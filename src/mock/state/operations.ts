import { memberAt, truthOf } from '../../spec/conditions.ts';
import { excessesOf } from '../../spec/limits.ts';
import type { Seed } from '../seed.ts';
import { type Entities, kindOf, type OperationFacts, type OperationForm, verbOf } from './entities.ts';
import { guardName, type Hooks } from './hooks.ts';
import type { Asked, CompiledKind, Kinds } from './kinds.ts';
import type { Draft, Value } from './records.ts';
import { createRefusals, invalidQuery, notFound, type Refusals, Refused } from './refusals.ts';
import { compileForm, compileObject } from './values.ts';

/** What is answered: a value to be shown as JSON, or why the operation is not done. */
export type Given = { readonly shown: unknown } | Refused;

/** What an operation does to the records of a tenant. It may be run twice, and has no effect but the changes of its draft. */
export type Run = (draft: Draft, asked: Asked) => Given;

type Form = OperationForm & OperationFacts;

interface Scene {
  readonly entities: Entities;
  readonly kinds: Kinds;
  readonly hooks: Hooks;
  readonly refusals: Refusals;
  readonly seed: () => Seed;
}

/** Compiles what each operation does. */
export function compileOperations(
  entities: Entities,
  kinds: Kinds,
  hooks: Hooks,
  seed: () => Seed,
): ReadonlyMap<string, Run> {
  const scene: Scene = { entities, kinds, hooks, seed, refusals: createRefusals(entities.file) };
  return new Map(
    Object.entries(entities.operations).flatMap(([operationId, form]) => {
      const run = compileOperation(form, scene);
      return run ? [[operationId, run] as const] : [];
    }),
  );
}

function compileOperation(form: Form, scene: Scene): Run | undefined {
  const [verb, of] = verbOf(form) ?? [];
  if (verb === 'seed') return () => ({ shown: memberAt(scene.seed(), of ?? '') ?? [] });
  if (verb === 'table') return table(of ?? '', form, scene);
  const kind = scene.kinds.get(kindOf(form) ?? '');
  if (!kind || verb === undefined) return undefined;
  const verbs = { create, read, list, set, remove };
  return verbs[verb](kind, form, scene);
}

function read(kind: CompiledKind, form: Form, { hooks }: Scene): Run {
  const answer = answering(kind, form, hooks);
  return (draft, asked) => {
    const record = find(kind, draft, asked);
    return record instanceof Refused ? record : answer(draft, asked, record, {});
  };
}

function list(kind: CompiledKind, { pick = [] }: Form, _: Scene): Run {
  return (draft, asked) => {
    const ids = kind.inPath(draft, asked);
    if (ids instanceof Refused) return ids;
    const wanted = Object.entries(ids);
    const query = pick.length > 0 && asked.query !== '' ? new URLSearchParams(asked.query) : undefined;
    let found = draft.list(kind.name).filter((record) => wanted.every(([field, id]) => record[field] === id));
    for (const field of pick) {
      const value = query?.get(field) ?? null;
      if (value === null) continue;
      if (value !== 'true' && value !== 'false' && found.some((record) => typeof record[field] === 'boolean'))
        return invalidQuery(field, 'must be true or false');
      found = found.filter((record) => String(record[field]) === value);
    }
    return { shown: found.map((record) => kind.show(record, asked.profile, asked.now)) };
  };
}

function create(kind: CompiledKind, form: Form, { entities, hooks, refusals }: Scene): Run {
  const judge = judging(kind, form, entities, refusals);
  const answer = answering(kind, form, hooks);
  const guard = form.guard === undefined ? undefined : hooks[guardName(form.guard)];
  return (draft, asked) => {
    const sent = sentOf(form, asked.body);
    const refused = judge(asked, sent, undefined);
    if (refused) return refused;
    const ids = kind.chosen(draft, asked, sent);
    if (ids instanceof Refused) return ids;
    const making = kind.making(draft, asked, { ...kind.blank }, sent, ids);
    if (guard?.(making) === false) return refusals.guard(form.guard ?? '');
    const record = kind.make(draft, making, ids);
    draft.put(kind.name, String(record[kind.id]), record);
    return answer(draft, asked, record, sent);
  };
}

function set(kind: CompiledKind, form: Form, { entities, hooks, refusals }: Scene): Run {
  const judge = judging(kind, form, entities, refusals);
  const answer = answering(kind, form, hooks);
  const guard = form.guard === undefined ? undefined : hooks[guardName(form.guard)];
  const to = compileObject(form.to ?? {}, hooks);
  const otherwise = Object.entries(form.else ?? {}).map(([field, one]) => [field, compileForm(one, hooks)] as const);
  const added = Object.entries(form.adds ?? {});
  const namesOthers = form.takes.some((field) => kind.references.includes(field));
  const answered = new Set(Object.keys(form.answers ?? {}));
  return (draft, asked) => {
    const sent = sentOf(form, asked.body);
    const before = find(kind, draft, asked);
    const refused = judge(asked, sent, before instanceof Refused ? undefined : before);
    if (refused) return refused;
    if (before instanceof Refused) return before;
    const lost = namesOthers ? kind.dangling(draft, sent) : undefined;
    if (lost) return lost;
    const making = kind.making(draft, asked, before, sent, before);
    if (guard?.(making) === false) return refusals.guard(form.guard ?? '');
    if (kind.isFinal(before)) return answer(draft, asked, before, sent);
    const changes: Record<string, unknown> = {};
    for (const [field, make] of otherwise) changes[field] = make?.(making);
    for (const [field, value] of Object.entries(sent)) if (!answered.has(field)) changes[field] = value;
    Object.assign(changes, to(making));
    for (const [field, word] of added) changes[field] = withWord(before[field], word);
    const after = Object.entries(changes).some(([field, value]) => before[field] !== value)
      ? draft.put(kind.name, String(before[kind.id]), { ...before, ...changes })
      : before;
    return answer(draft, asked, after, sent);
  };
}

function remove(kind: CompiledKind, form: Form, { hooks }: Scene): Run {
  const answer = answering(kind, form, hooks);
  const to = compileObject(form.to ?? {}, hooks);
  return (draft, asked) => {
    const record = find(kind, draft, asked);
    if (record instanceof Refused) return record;
    const last = { ...record, ...to(kind.making(draft, asked, record, {}, record)) };
    kind.remove(draft, String(record[kind.id]));
    return answer(draft, asked, last, {});
  };
}

/** Rows of the seed by a key; a key without rows of its own has those of the first. */
function table(path: string, { by = '', key, takes }: Form, { seed, entities }: Scene): Run {
  const form = key === null ? undefined : new RegExp(key, 'u');
  const name = path.split('.')[0] ?? path;
  const usual = entities.file.roles?.parameters?.[by] ?? '';
  return (_, { parameters, body }) => {
    const rows = new Map(Object.entries((memberAt(seed(), path) ?? {}) as Value));
    const [first = usual] = rows.keys();
    const wanted = parameters[by] ?? (takes.includes(by) ? memberAt(body, by) : undefined);
    const chosen = typeof wanted === 'string' && (form === undefined || form.test(wanted)) ? wanted : first;
    return { shown: { [by]: chosen, [name]: rows.get(chosen) ?? rows.get(first) ?? [] } };
  };
}

/** The record that a path names, of those that it names beside it; refused where there is none. */
function find(kind: CompiledKind, draft: Draft, { parameters }: Asked): Value | Refused {
  const record = draft.get(kind.name, parameters[kind.id] ?? '');
  const isMeant = kind.references.every(
    (field) => parameters[field] === undefined || parameters[field] === record?.[field],
  );
  return record && isMeant ? record : notFound(kind.name, kind.id);
}

const NOTHING: Value = {};

/** The members of a body that an operation takes. */
function sentOf({ takes }: Form, body: unknown): Value {
  if (body === undefined) return NOTHING;
  const sent: Record<string, unknown> = {};
  for (const name of takes) {
    const value = memberAt(body, name);
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

/** Holds what is sent to the conditions and the limits of the contract: the one place where either is refused. */
function judging(
  kind: CompiledKind,
  { takes }: Form,
  { file }: Entities,
  refusals: Refusals,
): (asked: Asked, sent: Value, record: Value | undefined) => Refused | undefined {
  const conditional = kind.refusing.filter(([field]) => takes.includes(field));
  const maxima = takes.some((field) => field in (kind.maxima ?? {})) ? kind.maxima : null;
  const currencyField = file.limits?.currency;
  return ({ body, profile }, sent, record) => {
    for (const [field, condition] of conditional) {
      if (sent[field] !== undefined && truthOf(condition, { profile }) === false)
        return refusals.unavailable(condition.refuses, field, profile.name);
    }
    if (maxima === null) return undefined;
    const changes = currencyField !== undefined && sent[currencyField] !== undefined;
    const named =
      currencyField === undefined
        ? undefined
        : (sent[currencyField] ?? record?.[currencyField] ?? memberAt(body, currencyField));
    const currency = typeof named === 'string' ? named : null;
    // in another currency the limits that are there count, too
    const excesses = excessesOf(maxima, changes && record ? { ...record, ...sent } : sent, currency);
    return excesses.length === 0 ? undefined : refusals.limit(excesses, currency);
  };
}

/** What is shown of a record that was found, made or changed. */
function answering(
  kind: CompiledKind,
  { answers, shows }: Form,
  hooks: Hooks,
): (draft: Draft, asked: Asked, record: Value, sent: Value) => Given {
  if (answers) {
    const makes = Object.entries(answers).map(([name, form]) => [name, compileForm(form, hooks)] as const);
    return (draft, asked, record, sent) => {
      const making = kind.making(draft, asked, record, sent, record);
      return { shown: Object.fromEntries(makes.map(([name, make]) => [name, sent[name] ?? make?.(making)])) };
    };
  }
  return (_, { profile, now }, record) => {
    const shown = kind.show(record, profile, now);
    return { shown: shows ? Object.fromEntries(shows.map((name) => [name, shown[name]])) : shown };
  };
}

function withWord(list: unknown, word: string): unknown {
  const words: readonly unknown[] = Array.isArray(list) ? list : [];
  return words.includes(word) ? list : [...words, word];
}
