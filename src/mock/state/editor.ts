import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import { excessesOf } from '../../contract/limits.ts';
import { joinPointer } from '../../text/pointer.ts';
import { problem } from '../message/problem.ts';
import type { Defect } from './entities-file.ts';
import { type Asked, type CompiledKind, isId, split } from './kinds.ts';
import type { MemberCheck } from './member-check.ts';
import type { Draft, Value } from './records.ts';
import { notFound, RefusedChange } from './refusals.ts';

/** An edit of records outside the contract's operations. The contract's rules and schemas for a record still apply. */
export interface Editing {
  readonly file: EntitiesFile;
  readonly kind: CompiledKind;
  readonly check: MemberCheck;
  /** The tenant, the time and the profile; no path, no query, no body. */
  readonly asked: Asked;
}

/** Creates a record from some members. Missing members are generated as for a request; null omits a member. */
export function createRecord(
  draft: Draft,
  { file, kind, check, asked }: Editing,
  given: Value,
  isGenerated = false,
): Value | RefusedChange {
  const { sent, absent } = split(given);
  const refused = refusalOf([...check(kind.name, given), ...unfit(file, kind, sent, asked)]);
  if (refused) return refused;
  const id = sent[kind.id];
  if (isId(id) && draft.get(kind.name, String(id)))
    return new RefusedChange(problem('control-conflict', `the ${kind.name} ${JSON.stringify(id)} is there already`));
  const ids = kind.chosen(draft, asked, sent, isGenerated);
  if (ids instanceof RefusedChange) return ids;
  return kind.make(draft, kind.begin(draft, asked, sent, ids), absent, isGenerated);
}

/** Replaces a record. Null and missing members are removed. */
export function replaceRecord(
  draft: Draft,
  { file, kind, check, asked }: Editing,
  before: Value,
  given: Value,
): Value | RefusedChange {
  const after = split(given).sent;
  // unchanged members are not checked: an overlay may have changed their schema since
  const changed = Object.fromEntries(Object.entries(after).filter(([field, value]) => !isSame(before[field], value)));
  const refused = refusalOf([
    ...check(kind.name, changed),
    ...fixed(kind, before, after),
    ...unfit(file, kind, changed, asked, after),
    ...kind.lost(after, (of, id) => draft.get(of, id)),
  ]);
  return refused ?? draft.put(kind.name, String(before[kind.id]), after);
}

export function removeRecord(draft: Draft, { kind }: Editing, id: string): RefusedChange | undefined {
  if (!draft.get(kind.name, id)) return notFound(kind.name, kind.id);
  kind.remove(draft, id);
  return undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function* fixed(kind: CompiledKind, before: Value, after: Value): Generator<Defect> {
  for (const field of [kind.id, kind.references[0]?.field])
    if (field !== undefined && before[field] !== after[field])
      yield { pointer: joinPointer('', field), message: `It stays ${JSON.stringify(before[field])}.` };
}

function* unfit(
  { limits }: EntitiesFile,
  kind: CompiledKind,
  sent: Value,
  { profile }: Asked,
  record: Value = sent,
): Generator<Defect> {
  yield* kind.misplaced(Object.keys(sent), { record, profile });
  const currency = record[limits?.currency ?? ''];
  const named = typeof currency === 'string' ? currency : null;
  for (const { field, maximum } of excessesOf(kind.maxima, record, named))
    yield {
      pointer: joinPointer('', field),
      message: `It must be at most ${maximum}${named === null ? '' : ` ${named}`}.`,
    };
}

function refusalOf(faults: readonly Defect[]): RefusedChange | undefined {
  const [first] = faults;
  if (!first) return undefined;
  const errors = faults.map(({ pointer, message, hint }) => {
    return { in: 'body', pointer, message: hint ? `${message} ${hint}` : message };
  });
  const detail = `${first.pointer || 'the body'}: ${errors[0]?.message}`;
  return new RefusedChange(problem('control-input', detail, { members: { errors } }));
}
