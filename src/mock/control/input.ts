import { type Answer, answer, jsonAnswer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';

export class Rejected extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super();
    this.answer = answer;
  }
}

/** Faults in the body or the query: 422 with their pointers. */
export class InputError extends Rejected {
  constructor(...faults: readonly { readonly pointer: string; readonly message: string }[]) {
    const errors = faults.map(({ pointer, message }) => ({ in: 'body', pointer, message }));
    const [{ pointer = '', message = '' } = {}] = faults;
    super(problem('control-input', `${pointer || 'the body'}: ${message}`, { members: { errors } }));
  }
}

export function missing(what: string): Rejected {
  return new Rejected(problem('no-such-control', what));
}

export function ok(value: unknown, status = 200): Answer {
  return jsonAnswer(status, value, 'assumed', ['cache-control', 'no-store']);
}

export function done(): Answer {
  return answer(204, null, 'assumed');
}

/** A whole number of the path or the query; undefined where it is absent. */
export function whole(
  value: string | null | undefined,
  name: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new InputError({ pointer: `/${name}`, message: `It must be a whole number from ${least} to ${most}.` });
}
