import type { OperationForm } from '../../../generated/mock/entities.ts';
import { memberAt, truthOf } from '../../contract/conditions.ts';
import { excessesOf } from '../../contract/limits.ts';
import { patternOf } from '../../patterns/pattern.ts';
import { patched } from '../../schema/merge-patch.ts';
import type { Seed } from '../tenant/seed.ts';
import { type Entities, kindOf, type OperationFacts, verbOf } from './entities.ts';
import { guardName, type Hooks, type Maker, Making } from './hooks.ts';
import { type Asked, type CompiledKind, isSameId, type Kinds } from './kinds.ts';
import { enveloped, pageOf } from './list-page.ts';
import { createRandom } from './random.ts';
import type { Draft, Value } from './records.ts';
import { createRefusals, type Refusals, RefusedChange } from './refusals.ts';
import { compileTransitions, type Transitions } from './transitions.ts';
import { compileForms } from './values.ts';

export type StateAnswer = { readonly shown: unknown; readonly created?: Value } | RefusedChange;

/** An operation on the records of a tenant. It may run twice, so its draft's changes are its only effect. */
export type StateOperation = (draft: Draft, asked: Asked) => StateAnswer;

type Form = OperationForm & OperationFacts;

interface Scene {
  readonly entities: Entities;
  readonly kinds: Kinds;
  readonly hooks: Hooks;
  readonly refusals: Refusals;
  readonly seed: (tenant: string) => Seed;
}

export function compileOperations(
  entities: Entities,
  kinds: Kinds,
  hooks: Hooks,
  seed: (tenant: string) => Seed,
): ReadonlyMap<string, StateOperation> {
  const transitions = compileTransitions(entities.file, kinds, hooks);
  const scene: Scene = { entities, kinds, hooks, seed, refusals: createRefusals(entities.file) };
  const runs = new Map<string, StateOperation>();
  for (const [operationId, form] of Object.entries(entities.operations)) {
    const run = compileOperation(form, scene);
    const { id = '' } = kinds.get(kindOf(form) ?? '') ?? {};
    if (run) runs.set(operationId, adapted(settled(run, form, transitions), form, id));
  }
  return runs;
}

/** Reads a request as the kind does: ids of the path as the fields that they are for, the record out of its envelope. */
function adapted(run: StateOperation, { names = {}, sentAt, sentId }: Form, id: string): StateOperation {
  if (Object.keys(names).length === 0 && sentAt === undefined && sentId === undefined) return run;
  return (draft, asked) => {
    const body = sentAt === undefined ? asked.body : memberAt(asked.body, sentAt);
    const parameters = Object.entries(asked.parameters).map(([name, value]) => [names[name] ?? name, value]);
    if (sentId !== undefined) parameters.push([id, String(memberAt(body, sentId) ?? '')]);
    return run(draft, { ...asked, body, parameters: Object.fromEntries(parameters) });
  };
}

/** Applies due changes before the operation runs. */
function settled(run: StateOperation, form: Form, transitions: Transitions): StateOperation {
  const kind = kindOf(form) ?? '';
  if (!transitions.kinds.has(kind)) return run;
  const makes = form.create !== undefined;
  return (draft, asked) => {
    transitions.settle(draft, asked);
    if (makes) transitions.makeRoom(draft, asked, kind);
    return run(draft, asked);
  };
}

function compileOperation(form: Form, scene: Scene): StateOperation | undefined {
  const [verb, of] = verbOf(form) ?? [];
  if (verb === 'seed') return (_, { tenant }) => ({ shown: memberAt(scene.seed(tenant), of ?? '') ?? [] });
  if (verb === 'table') return table(of ?? '', form, scene);
  const kind = scene.kinds.get(kindOf(form) ?? '');
  if (!kind || verb === undefined) return undefined;
  return { create, read, list, set, remove }[verb](kind, form, scene);
}

function read(kind: CompiledKind, form: Form, { hooks }: Scene): StateOperation {
  const answer = answering(kind, form, hooks);
  return (draft, asked) => {
    const record = kind.find(draft, asked);
    return record instanceof RefusedChange ? record : answer(draft, asked, record, NOTHING);
  };
}

function list(kind: CompiledKind, form: Form): StateOperation {
  const { lists } = form;
  return (draft, asked) => {
    const ids = kind.inPath(draft, asked);
    if (ids instanceof RefusedChange) return ids;
    const wanted = kind.references.filter(({ field }) => ids[field] !== undefined);
    const isOf = (record: Value): boolean => wanted.every(({ field }) => isSameId(record[field], ids[field]));
    const found = draft.list(kind.name).filter((record) => isOf(record) && kind.isWithin(record, ids));
    const show = (records: readonly Value[]): unknown[] =>
      records.map((record) => only(form.members, kind.show(record, asked.profile, asked.now)));
    // most lists have no parameters and no envelope
    if (!lists || (asked.query === '' && lists.usual === null && !lists.envelope)) return { shown: show(found) };
    const page = pageOf(found, kind.id, asked.query, lists);
    if (page instanceof RefusedChange) return page;
    const items = show(page.records);
    return { shown: lists.envelope ? enveloped(lists.envelope, items, page.facts) : items };
  };
}

function create(kind: CompiledKind, form: Form, scene: Scene): StateOperation {
  const judge = judging(kind, form, scene);
  const guard = guarding(form, scene);
  const answer = answering(kind, form, scene.hooks);
  return (draft, asked) => {
    const inBody = sentOf(form, asked.body);
    const own = form.isPut ? asked.parameters[kind.id] : undefined;
    const sent = own === undefined ? inBody : { ...inBody, [kind.id]: kind.typed(own) };
    const refused = judge(asked, sent, undefined);
    if (refused) return refused;
    if (own !== undefined) draft.remove(kind.name, own);
    const ids = kind.chosen(draft, asked, sent);
    if (ids instanceof RefusedChange) return ids;
    const making = kind.begin(draft, asked, sent, ids);
    const made = guard(making) ?? kind.make(draft, making);
    if (made instanceof RefusedChange) return made;
    const answered = answer(draft, asked, made, sent);
    return answered instanceof RefusedChange ? answered : { shown: answered.shown, created: made };
  };
}

function set(kind: CompiledKind, form: Form, scene: Scene): StateOperation {
  const { hooks } = scene;
  const judge = judging(kind, form, scene);
  const guard = guarding(form, scene);
  const answer = answering(kind, form, hooks);
  const [to, otherwise] = [compileForms(form.to, hooks), compileForms(form.else, hooks)];
  const added = Object.entries(form.adds ?? {});
  const kept = form.takes.filter((field) => !Object.hasOwn(form.answers ?? {}, field) && field !== kind.idInBody);
  const touched = [...kept, ...[...otherwise, ...to, ...added].map(([field]) => field)];
  const namesOthers = kind.references.some(({ field }) => form.takes.includes(field));
  return (draft, asked) => {
    const sent = sentOf(form, asked.body);
    const before = kind.find(draft, asked);
    const isThere = !(before instanceof RefusedChange);
    const refused = judge(asked, sent, isThere ? before : undefined);
    if (refused) return refused;
    if (!isThere) return before;
    const making = kind.change(draft, asked, before, sent);
    const stopped = (namesOthers ? kind.dangling(draft, sent) : undefined) ?? guard(making);
    if (stopped) return stopped;
    if (kind.isFinal(before)) return answer(draft, asked, before, sent);
    const after: Record<string, unknown> = { ...before };
    for (const [field, make] of otherwise) after[field] = make(making);
    for (const field of kept)
      if (sent[field] !== undefined || form.clears?.includes(field))
        after[field] = asked.isMergePatch ? patched(before[field], sent[field]) : sent[field];
    for (const [field, make] of to) after[field] = make(making);
    for (const [field, word] of added) after[field] = withWord(before[field], word);
    const isChanged = touched.some((field) => before[field] !== after[field]);
    if (isChanged) draft.put(kind.name, String(before[kind.id]), after);
    return answer(draft, asked, isChanged ? after : before, sent);
  };
}

function remove(kind: CompiledKind, form: Form, { hooks }: Scene): StateOperation {
  const answer = answering(kind, form, hooks);
  const to = compileForms(form.to, hooks);
  return (draft, asked) => {
    const record = kind.find(draft, asked);
    if (record instanceof RefusedChange) return record;
    const making = kind.change(draft, asked, record, NOTHING);
    const last: Record<string, unknown> = { ...record };
    for (const [field, make] of to) last[field] = make(making);
    kind.remove(draft, record[kind.id]);
    return answer(draft, asked, last, NOTHING);
  };
}

const NO_KIND: Maker = {
  maxima: null,
  named: () => undefined,
  random: (_, tenant) => createRandom(tenant),
};

/** Rows of the seed by a key. An unknown key is refused, or gets the rows of the first key. */
function table(path: string, { by = '', key, takes, rows: hook, refuses }: Form, scene: Scene): StateOperation {
  const { seed, entities, hooks, refusals } = scene;
  const makeRow = hook === undefined ? undefined : hooks[hook];
  const form = key === null ? undefined : patternOf(key);
  const name = path.split('.')[0] ?? path;
  const usual = entities.file.roles?.parameters?.[by] ?? '';
  return (draft, asked) => {
    const { parameters, body, profile } = asked;
    const rows = new Map(Object.entries((memberAt(seed(asked.tenant), path) ?? {}) as Value));
    const [first = usual] = rows.keys();
    const wanted = parameters[by] ?? (takes.includes(by) ? memberAt(body, by) : undefined);
    if (
      refuses !== undefined &&
      rows.size > 0 &&
      typeof wanted === 'string' &&
      !rows.has(wanted) &&
      refusals.names(refuses, profile)
    )
      return refusals.table(refuses, { by, inPath: parameters[by] !== undefined, wanted, known: [...rows.keys()] });
    const chosen = typeof wanted === 'string' && (form === undefined || form.test(wanted)) ? wanted : first;
    const listed = rows.get(chosen) ?? rows.get(first) ?? [];
    if (!makeRow || !Array.isArray(listed)) return { shown: { [by]: chosen, [name]: listed } };
    const sent = { ...sentOf({ takes: Object.keys(Object(body)) }, body), [by]: chosen };
    const made = listed.map((row: Value) =>
      makeRow(new Making(NO_KIND, draft, asked, { record: row, sent, ids: NOTHING })),
    );
    return { shown: { [by]: chosen, [name]: made.filter((row) => row !== undefined) } };
  };
}

// a member may be called `constructor`
const NOTHING: Value = Object.freeze(Object.create(null));

function sentOf({ takes }: Pick<Form, 'takes'>, body: unknown): Value {
  if (typeof body !== 'object' || body === null) return NOTHING;
  const sent: Record<string, unknown> = Object.create(null);
  for (const name of takes) {
    const value = Object.hasOwn(body, name) ? (body as Value)[name] : undefined;
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

/** Checks the sent members against the conditions and limits of the contract. Nothing else refuses them. */
function judging(
  kind: CompiledKind,
  { takes }: Form,
  { entities, refusals }: Scene,
): (asked: Asked, sent: Value, record: Value | undefined) => RefusedChange | undefined {
  const conditional = [...kind.conditions].filter(([field, { refuses }]) => refuses && takes.includes(field));
  const limited = takes.filter((field) => field in (kind.maxima ?? {}));
  const currencyField = entities.file.limits?.currency ?? '';
  return ({ body, profile }, sent, record) => {
    for (const [field, condition] of conditional) {
      if (sent[field] !== undefined && truthOf(condition, { profile }) === false)
        return refusals.unavailable(condition.refuses ?? '', field, profile.name);
    }
    if (limited.length === 0) return undefined;
    const named = sent[currencyField] ?? record?.[currencyField] ?? memberAt(body, currencyField);
    const currency = typeof named === 'string' ? named : null;
    // if the currency changes, the record's existing limits are checked too
    const all = sent[currencyField] !== undefined && record ? { ...record, ...sent } : sent;
    const excesses = excessesOf(kind.maxima, all, currency);
    return excesses.length === 0 ? undefined : refusals.limit(excesses, currency);
  };
}

function guarding({ guard = [] }: Form, { hooks, refusals }: Scene): (making: Making) => RefusedChange | undefined {
  const rules = [guard].flat().map((rule) => ({ rule, holds: hooks[guardName(rule)] }));
  return (making) => {
    for (const { rule, holds } of rules) {
      if (!refusals.applies(rule, making.profile) || holds?.(making) !== false) continue;
      return refusals.guard(rule);
    }
    return undefined;
  };
}

function answering(
  kind: CompiledKind,
  { answers, shows, members, around }: Form,
  hooks: Hooks,
): (draft: Draft, asked: Asked, record: Value, sent: Value) => StateAnswer {
  if (answers) {
    const makes = compileForms(answers, hooks);
    return (draft, asked, record, sent) => {
      const making = kind.change(draft, asked, record, sent);
      return { shown: Object.fromEntries(makes.map(([name, make]) => [name, sent[name] ?? make(making)])) };
    };
  }
  return (_, { profile, now }, record) => {
    const shown = only(shows ?? members, kind.show(record, profile, now));
    return { shown: around ? enveloped(around, shown, {}) : shown };
  };
}

function only(names: readonly string[] | undefined, shown: Value): Value {
  return names ? Object.fromEntries(names.map((name) => [name, shown[name]])) : shown;
}

function withWord(list: unknown, word: string): unknown {
  const words: readonly unknown[] = Array.isArray(list) ? list : [];
  return words.includes(word) ? list : [...words, word];
}
