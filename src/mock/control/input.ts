import { type Answer, answer, jsonAnswer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';

export class Rejected extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super();
    this.answer = answer;
  }
}

/** A fault in the body or the query: 422 with its pointer. */
export class InputError extends Rejected {
  constructor(pointer: string, message: string) {
    const errors = [{ in: 'body', pointer, message }];
    super(problem('control-input', `${pointer || 'the body'} ${message}`, { members: { errors } }));
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

/** The members of an object body, none of them unknown. An absent body is an empty one. */
export function members(body: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new InputError('', 'must be an object');
  for (const name of Object.keys(body)) {
    if (!known.includes(name)) {
      throw new InputError(`/${name}`, `is not known here${known.length > 0 ? `; known: ${known.join(', ')}` : ''}`);
    }
  }
  return { ...body };
}

/** A string member, or undefined where it is absent. */
export function text(of: Readonly<Record<string, unknown>>, name: string, most = 2_000): string | undefined {
  const value = of[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > most) {
    throw new InputError(`/${name}`, `must be a text of 1 to ${most} characters`);
  }
  return value;
}

/** A whole number of a range, of a member or of the query; undefined where it is absent. */
export function whole(value: unknown, name: string, least: number, most: number): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most) return number;
  throw new InputError(`/${name}`, `must be a whole number from ${least} to ${most}`);
}

/** A boolean member, or the given value where it is absent. */
export function flag(of: Readonly<Record<string, unknown>>, name: string, otherwise: boolean): boolean {
  const value = of[name] ?? otherwise;
  if (typeof value !== 'boolean') throw new InputError(`/${name}`, 'must be true or false');
  return value;
}
