import { type Answer, answer, jsonAnswer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';

export class Rejected extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super();
    this.answer = answer;
  }
}

/** Faults in the body or query: 422 with their pointers. */
export class InputError extends Rejected {
  constructor(...faults: readonly { readonly pointer: string; readonly message: string }[]) {
    const errors = faults.map(({ pointer, message }) => ({ in: 'body', pointer, message }));
    const [{ pointer = '', message = '' } = {}] = faults;
    super(problem('control-input', `${pointer || 'the body'}: ${message}`, { members: { errors } }));
  }
}

/** An answer that is not JSON, or that has extra header fields. */
export class Reply {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}

export function missing(what: string): Rejected {
  return new Rejected(problem('no-such-control', what));
}

export function ok(value: unknown, status = 200): Answer {
  return jsonAnswer(status, value, 'assumed', ['cache-control', 'no-store']);
}

export function file(type: string, name: string, text: string): Reply {
  const headers = ['cache-control', 'no-store', 'content-disposition', `inline; filename="${name}"`];
  return new Reply(answer(200, { type, bytes: Buffer.from(text) }, 'assumed', headers));
}
