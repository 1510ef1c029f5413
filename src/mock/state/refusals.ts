import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import type { Answer } from '../http/answer.ts';
import { type ProblemKind, problem, type Wrong } from '../http/problem.ts';

/** Why an operation is not done. */
export class Refused {
  readonly answer: Answer;
  /** True where a rule of the contract refuses it, false where something is not there. */
  readonly byRule: boolean;

  constructor(answer: Answer, byRule = false) {
    this.answer = answer;
    this.byRule = byRule;
  }
}

function refused(status: number, kind: ProblemKind, detail: string, error: Wrong): Refused {
  return new Refused(problem(status, kind, detail, { members: { errors: [error] } }));
}

/** Nobody has the id that a path names. That the API answers 404 is assumed. */
export function notFound(kind: string, parameter: string): Refused {
  const detail = `there is no ${kind} of this ${parameter} here (docs/mock-state.md)`;
  return refused(404, 'not-found', detail, { in: 'path', name: parameter, message: `names no ${kind}` });
}

/** A body names something that is not there. */
export function unknownReference(kind: string, field: string): Refused {
  const detail = `/${field} names no ${kind} that is there`;
  return refused(422, 'unknown-reference', detail, { in: 'body', pointer: `/${field}`, message: `names no ${kind}` });
}

/** The refusals that the contract names (`refusals`), each under its own name. */
export interface Refusals {
  limit(excesses: readonly { readonly field: string; readonly maximum: number }[], currency: string | null): Refused;
  unavailable(name: string, field: string, profile: string): Refused;
  guard(rule: string): Refused;
}

export function createRefusals({ refusals = {}, limits }: EntitiesFile): Refusals {
  const byRule = (
    status: number,
    name: string,
    detail: string,
    errors: readonly (Wrong & { maximum?: number })[],
  ): Refused => {
    const title = refusals[name]?.title ?? 'A rule of the contract is broken';
    return new Refused(problem(status, { name, title }, detail, { members: { errors } }), true);
  };
  return {
    limit(excesses, currency) {
      const errors = excesses.map(({ field, maximum }) => {
        return { in: 'body' as const, pointer: `/${field}`, message: `must be at most ${maximum}`, maximum };
      });
      const [first] = errors;
      const detail = `${first?.pointer} ${first?.message}${currency === null ? '' : ` in ${currency}`}`;
      return byRule(422, limits?.refuses ?? 'limit-exceeded', detail, errors);
    },
    unavailable(name, field, profile) {
      const errors: Wrong[] = [{ in: 'body', pointer: `/${field}`, message: 'is not available' }];
      return byRule(422, name, `/${field} is not available with the profile ${profile}`, errors);
    },
    guard(rule) {
      const [name, refusal] = Object.entries(refusals).find(([, { guard }]) => guard === rule) ?? [rule, undefined];
      const { field, message = 'is refused', detail = `the rule ${rule} is broken` } = refusal ?? {};
      const errors: Wrong[] = field === undefined ? [] : [{ in: 'body', pointer: `/${field}`, message }];
      return byRule(409, name, detail, errors);
    },
  };
}
