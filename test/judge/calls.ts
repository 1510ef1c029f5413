import type { Call } from '../../src/model/call.ts';
import type { Exchange, HeaderFields, TransportFailure } from '../../src/model/exchange.ts';

export interface AnswerSpec {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly type?: string;
  readonly headers?: HeaderFields;
  readonly state?: NonNullable<Exchange['response']>['body']['state'];
  readonly failure?: TransportFailure;
  readonly method?: string;
  /** The target of the request. */
  readonly target?: string;
}

let seq = 0;

export function exchange(operationId: string, answer: AnswerSpec): Exchange {
  seq += 1;
  const { status = 200, json, text, type = 'application/json', headers = [], state = 'complete', failure } = answer;
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  return {
    seq,
    startedAt: seq,
    endedAt: seq,
    connection: null,
    operationId,
    request: { method: answer.method ?? 'GET', target: answer.target ?? '/', headers: [], body: null },
    response:
      failure === undefined
        ? { status, headers: [['content-type', type], ...headers], body: { bytes: Buffer.from(body), state } }
        : null,
    failure: failure === undefined ? null : { kind: failure, message: failure },
    token: null,
  };
}

/** A call with one attempt per answer. */
export function call(operationId: string, answers: AnswerSpec | readonly AnswerSpec[], over: Partial<Call> = {}): Call {
  const list = Array.isArray(answers) ? (answers as readonly AnswerSpec[]) : [answers as AnswerSpec];
  const attempts = list.map((answer) => exchange(operationId, answer));
  return {
    checkId: `check.${operationId}`,
    operationId,
    purpose: 'succeed',
    auth: 'token',
    parameters: {},
    attempts,
    notSent: null,
    ...over,
  };
}
