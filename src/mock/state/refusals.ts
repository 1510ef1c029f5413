import type { EntitiesFile, Refusal } from '../../../generated/mock/entities.ts';
import { truthOf } from '../../contract/conditions.ts';
import type { excessesOf } from '../../contract/limits.ts';
import { suggest } from '../../text/suggest.ts';
import type { Answer } from '../message/answer.ts';
import { type NamedProblem, type ProblemKind, problem, type Wrong } from '../message/problem.ts';

export class RefusedChange {
  readonly answer: Answer;
  /** True if a documented rule of the contract refuses the change. False for assumed rules and missing records. */
  readonly byRule: boolean;

  get detail(): string {
    return String((JSON.parse(String(this.answer.body)) as { readonly detail?: unknown }).detail);
  }

  constructor(answer: Answer, byRule = false) {
    this.answer = answer;
    this.byRule = byRule;
  }
}

function refused(kind: ProblemKind, detail: string, error: Wrong, existing: Existing): RefusedChange {
  const members = { errors: [error], ...(existing.length > 0 && { existing }) };
  return new RefusedChange(problem(kind, detail, { members }));
}

/** Some existing ids, the most likely match first. */
export type Existing = readonly string[];

const MOST = 5;

export function existing(wanted: unknown, ids: Iterable<unknown>): Existing {
  const all = Array.from(ids, String);
  const similar = suggest(String(wanted), all.slice(0, 1_000));
  return [...new Set([...(similar === undefined ? [] : [similar]), ...all.slice(0, MOST)])].slice(0, MOST);
}

/** The id in the path does not exist. The API's 404 is assumed. */
export function notFound(kind: string, parameter: string, there: Existing = []): RefusedChange {
  const detail = `there is no ${kind} of this ${parameter} here${existingText(there)} (docs/mock-state.md)`;
  return refused('not-found', detail, { in: 'path', name: parameter, message: `names no ${kind}` }, there);
}

export function unknownReference(kind: string, field: string, there: Existing = []): RefusedChange {
  const detail = `/${field} names no ${kind} that is there${existingText(there)}`;
  const error: Wrong = { in: 'body', pointer: `/${field}`, message: `names no ${kind}` };
  return refused('unknown-reference', detail, error, there);
}

export function unknownCursor(name: string): RefusedChange {
  const error: Wrong = { in: 'query', name, message: 'names no place in this list' };
  return refused('invalid-query', `${name} names no place in this list: send one that an answer gave`, error, []);
}

function existingText(there: Existing): string {
  return there.length === 0 ? '' : `; there is ${there.join(', ')}`;
}

interface AskedRow {
  readonly by: string;
  readonly inPath: boolean;
  readonly wanted: string;
  readonly known: readonly string[];
}

export type Refusals = ReturnType<typeof createRefusals>;

export function createRefusals({ refusals = {}, limits }: EntitiesFile) {
  const limitName = limits?.refuses ?? 'limit-exceeded';
  /** @param usual status if the contract folder does not state it */
  const named = (name: string, usual = 422): NamedProblem => {
    const { title = 'A rule of the contract is broken', status = usual } = refusals[name] ?? {};
    return { name, title, status };
  };
  const byRule = (
    kind: NamedProblem,
    detail: string,
    errors: readonly (Wrong & { maximum?: number })[],
    more: { readonly existing?: Existing } = {},
  ): RefusedChange =>
    new RefusedChange(problem(kind, detail, { members: { errors, ...more } }), refusals[kind.name]?.assumed !== true);
  const byGuard = new Map(
    Object.entries(refusals).flatMap(([name, refusal]) => (refusal.guard ? [[refusal.guard, { name, refusal }]] : [])),
  );
  const holdsWith = (refusal: Refusal | undefined, profile: unknown): boolean =>
    refusal?.profile === undefined || truthOf({ profile: refusal.profile }, { profile }) === true;
  const ofGuard = (rule: string): NamedProblem => named(byGuard.get(rule)?.name ?? rule, 409);
  return {
    named: (name: string): NamedProblem => named(name),
    ofGuard: (rule: string): NamedProblem => ofGuard(rule),
    ofLimit: (): NamedProblem => named(limitName),
    limit(excesses: ReturnType<typeof excessesOf>, currency: string | null): RefusedChange {
      const of = currency === null ? '' : ` ${currency}`;
      const errors = excesses.map(({ field, maximum }) => {
        return { in: 'body' as const, pointer: `/${field}`, message: `must be at most ${maximum}${of}`, maximum };
      });
      const [first] = errors;
      const detail = `${first?.pointer} ${first?.message}`;
      return byRule(named(limitName), detail, errors);
    },
    unavailable(name: string, field: string, profile: string): RefusedChange {
      const errors: Wrong[] = [{ in: 'body', pointer: `/${field}`, message: 'is not available' }];
      return byRule(named(name), `/${field} is not available with the profile ${profile}`, errors);
    },
    guard(rule: string): RefusedChange {
      const { field, message = 'is refused', detail = `the rule ${rule} is broken` } = byGuard.get(rule)?.refusal ?? {};
      const errors: Wrong[] = field === undefined ? [] : [{ in: 'body', pointer: `/${field}`, message }];
      return byRule(ofGuard(rule), detail, errors);
    },
    applies: (rule: string, profile: unknown): boolean => holdsWith(byGuard.get(rule)?.refusal, profile),
    names: (name: string, profile: unknown): boolean => holdsWith(refusals[name], profile),
    table(name: string, { by, inPath, wanted, known }: AskedRow): RefusedChange {
      const message = `must be one of ${known.join(', ')}`;
      const place = inPath ? { in: 'path' as const, name: by } : { in: 'body' as const, pointer: `/${by}` };
      const detail = `there is nothing for the ${by} ${JSON.stringify(wanted.slice(0, 64))}: it ${message}`;
      return byRule(named(name), detail, [{ ...place, message }], { existing: existing(wanted, known) });
    },
  };
}
