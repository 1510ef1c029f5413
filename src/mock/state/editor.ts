import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import { truthOf } from '../../contract/conditions.ts';
import { excessesOf } from '../../contract/limits.ts';
import { joinPointer } from '../../pointer.ts';
import { problem } from '../http/problem.ts';
import type { Fault } from './entities-file.ts';
import type { Asked, CompiledKind } from './kinds.ts';
import type { MemberCheck } from './member-check.ts';
import type { Draft, Value } from './records.ts';
import { notFound, Refused } from './refusals.ts';

/** Somebody writes records past the operations of the contract: what its rules and schemas say of a record holds all the same. */
export interface Editing {
  readonly file: EntitiesFile;
  readonly kind: CompiledKind;
  readonly check: MemberCheck;
  /** The tenant, the time and the profile; no path, no query, no body. */
  readonly asked: Asked;
}

/** Makes a record with some members; what is left out is made up as for a request, and null says that it is not there. */
export function createRecord(draft: Draft, { file, kind, check, asked }: Editing, given: Value): Value | Refused {
  const { sent, absent } = split(given);
  const refused = refusalOf([...check(kind.name, given), ...unfit(file, kind, sent, asked)]);
  if (refused) return refused;
  const id = sent[kind.id];
  if (typeof id === 'string' && draft.get(kind.name, id))
    return new Refused(problem(409, 'control-conflict', `the ${kind.name} ${JSON.stringify(id)} is there already`));
  const ids = kind.chosen(draft, asked, sent);
  if (ids instanceof Refused) return ids;
  return kind.make(draft, kind.begin(draft, asked, sent, ids), absent);
}

/** Changes some members of a record; null takes one away. */
export function changeRecord(
  draft: Draft,
  { file, kind, check, asked }: Editing,
  id: string,
  given: Value,
): Value | Refused {
  const before = draft.get(kind.name, id);
  if (!before) return notFound(kind.name, kind.id);
  const after: Record<string, unknown> = { ...before };
  for (const [field, value] of Object.entries(given)) after[field] = value ?? undefined;
  const refused = refusalOf([
    ...check(kind.name, given),
    ...fixed(kind, before, after),
    ...unfit(file, kind, split(given).sent, asked, after),
    ...lost(kind, draft, after),
  ]);
  return refused ?? draft.put(kind.name, id, after);
}

/** Removes a record, and all that belongs to it. */
export function removeRecord(draft: Draft, { kind }: Editing, id: string): Refused | undefined {
  if (!draft.get(kind.name, id)) return notFound(kind.name, kind.id);
  kind.remove(draft, id);
  return undefined;
}

function split(given: Value): { readonly sent: Value; readonly absent: readonly string[] } {
  const sent = Object.entries(given).filter(([, value]) => value !== null);
  const absent = Object.keys(given).filter((field) => given[field] === null);
  return { sent: Object.fromEntries(sent), absent };
}

/** What identifies a record, and what it belongs to, are not changed. */
function* fixed(kind: CompiledKind, before: Value, after: Value): Generator<Fault> {
  for (const field of [kind.id, kind.references[0]?.field])
    if (field !== undefined && before[field] !== after[field])
      yield { pointer: joinPointer('', field), message: `It stays ${JSON.stringify(before[field])}.` };
}

/** What stands against its condition, or above its maximum. */
function* unfit(
  { limits }: EntitiesFile,
  kind: CompiledKind,
  sent: Value,
  { profile }: Asked,
  record: Value = sent,
): Generator<Fault> {
  for (const [field, condition] of kind.conditions)
    if (sent[field] !== undefined && truthOf(condition, { record, profile }) === false)
      yield { pointer: joinPointer('', field), message: 'It does not belong here.' };
  const currency = record[limits?.currency ?? ''];
  const named = typeof currency === 'string' ? currency : null;
  for (const { field, maximum } of excessesOf(kind.maxima, record, named))
    yield {
      pointer: joinPointer('', field),
      message: `It must be at most ${maximum}${named === null ? '' : ` ${named}`}.`,
    };
}

/** What a record names and is not there, or is not of the same record as itself. */
function* lost(kind: CompiledKind, draft: Draft, record: Value): Generator<Fault> {
  for (const { field, of, shared } of kind.references) {
    const id = record[field];
    if (id === undefined) continue;
    const named = typeof id === 'string' ? draft.get(of, id) : undefined;
    if (!named || shared.some((one) => named[one] !== record[one]))
      yield { pointer: joinPointer('', field), message: `There is no ${of} ${JSON.stringify(id)} here.` };
  }
}

function refusalOf(faults: readonly Fault[]): Refused | undefined {
  const [first] = faults;
  if (!first) return undefined;
  const errors = faults.map(({ pointer, message, hint }) => {
    return { in: 'body', pointer, message: hint ? `${message} ${hint}` : message };
  });
  const detail = `${first.pointer || 'the body'}: ${errors[0]?.message}`;
  return new Refused(problem(422, 'control-input', detail, { members: { errors } }));
}
