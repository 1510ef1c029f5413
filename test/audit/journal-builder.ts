import type { Contract } from '../../src/contract/contract.ts';
import { createMatcher, type Matcher } from '../../src/contract/paths.ts';
import { createJournalWriter, type JournalEntry } from '../../src/journal/write.ts';
import type { Exchange, HeaderFields, TransportFailure } from '../../src/model/exchange.ts';

export const BASIC = `Basic ${Buffer.from('sandbox:sandbox-secret').toString('base64')}`;
/** Headers of a token request of this client. */
export const asClient = (id: string): HeaderFields => [
  ['authorization', `Basic ${Buffer.from(`${id}:${id}-secret`).toString('base64')}`],
  ['content-type', FORM],
];
export const FORM = 'application/x-www-form-urlencoded';
export const CARD = '/wallet/api/customers/c1/cards/k1';
export const CARDS = '/wallet/api/customers/c1/cards';
const START = Date.parse('2026-03-01T10:00:00.000Z');

interface Wire {
  /** Milliseconds since the start of the journal. */
  readonly at: number;
  /** Milliseconds until the answer; 20 by default. */
  readonly takes?: number;
  readonly connection?: number | null;
  readonly agent?: string;
}

export interface CallOptions extends Wire {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number | null;
  /** Whether the caller waits for the answer. */
  readonly gone?: boolean;
  /** Why there is no response, if `status` is null; a reset by default. */
  readonly failure?: TransportFailure;
  /** Null sends no Authorization. */
  readonly token?: string | null;
  readonly headers?: HeaderFields;
  readonly json?: unknown;
  /** Header fields of the answer. */
  readonly answers?: HeaderFields;
  /** A raw body instead of `json`. */
  readonly text?: string;
}

export interface TokenOptions extends Wire {
  /** Name of the issued token; undefined if the request fails. */
  readonly gives?: string;
  readonly expiresIn?: number | string;
  readonly status?: number | null;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderFields;
  readonly body?: string | null;
}

/** Writes journals as the mock does, from a script of requests and times. */
export class JournalBuilder {
  readonly #exchanges: (Exchange & { readonly skew: number })[] = [];
  readonly #find: Matcher;
  #start = START;
  #part = '';
  #skew = 0;

  constructor(contract: Contract) {
    this.#find = createMatcher(contract.operations);
  }

  /** Starts the rest this many milliseconds after the last answer, with new tokens. */
  pause(ms: number): void {
    this.#start = this.#exchanges.reduce((latest, { endedAt }) => Math.max(latest, endedAt), START) + ms;
    this.#part = `${this.#exchanges.length}-`;
  }

  /** Moves the clock of the mock by this many milliseconds. */
  moveClock(ms: number): this {
    this.#skew += ms;
    return this;
  }

  token(options: TokenOptions): this {
    const { gives, expiresIn = 3600, status = gives === undefined ? 503 : 200 } = options;
    const body =
      gives === undefined
        ? '{}'
        : JSON.stringify({
            access_token: tokenText(this.#part + gives),
            expires_in: expiresIn,
            jti: 'j',
            scope: '',
            token_type: 'bearer',
          });
    return this.#add(options, {
      method: options.method ?? 'POST',
      target: options.target ?? '/iam/oauth/token',
      headers: options.headers ?? [
        ['authorization', BASIC],
        ['content-type', FORM],
      ],
      body: options.body === undefined ? 'grant_type=client_credentials' : options.body,
      status,
      answer: body,
    });
  }

  call(options: CallOptions): this {
    const { token = 'T1', json, text, gone, failure } = options;
    return this.#add(options, {
      gone,
      failure,
      method: options.method ?? 'GET',
      target: options.path ?? CARD,
      headers: [
        ...(token === null ? [] : [['authorization', `Bearer ${tokenText(this.#part + token)}`] as const]),
        ...(json === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...(options.headers ?? []),
      ],
      body: text ?? (json === undefined ? null : JSON.stringify(json)),
      status: options.status === undefined ? 200 : options.status,
      answer: '{}',
      answers: options.answers ?? [],
    });
  }

  entries(): JournalEntry[] {
    const entries: JournalEntry[] = [];
    const writer = createJournalWriter((_, entry) => entries.push(entry));
    const sent = [...this.#exchanges].sort((a, b) => a.startedAt - b.startedAt);
    for (const [index, { skew, ...exchange }] of sent.entries()) {
      const { startedAt, endedAt } = exchange;
      const times = { startedAt: startedAt + skew, endedAt: endedAt + skew, clockAhead: skew };
      writer.append({ ...exchange, ...times, seq: index + 1 });
    }
    return entries;
  }

  #add(
    { at, takes = 20, connection = 1, agent = 'test' }: Wire,
    what: {
      method: string;
      target: string;
      headers: HeaderFields;
      body: string | null;
      status: number | null;
      answer: string;
      gone?: boolean | undefined;
      failure?: TransportFailure | undefined;
      answers?: HeaderFields;
    },
  ): this {
    const match = this.#find(what.method, what.target);
    this.#exchanges.push({
      seq: 0,
      skew: this.#skew,
      startedAt: this.#start + at,
      endedAt: this.#start + at + takes,
      connection,
      operationId: match?.kind === 'operation' ? match.operation.operationId : null,
      request: {
        method: what.method,
        target: what.target,
        headers: [['user-agent', agent], ...what.headers],
        body: what.body === null ? null : Buffer.from(what.body),
      },
      response:
        what.status === null
          ? null
          : {
              status: what.status,
              headers: [['content-type', 'application/json'], ...(what.answers ?? [])],
              body: { bytes: Buffer.from(what.answer), state: 'complete' },
              ...(what.gone && { delivered: false as const }),
            },
      failure: what.status === null ? { kind: what.failure ?? 'reset', message: 'no answer' } : null,
      token: null,
    });
    return this;
  }
}

/** A text that looks like a signed JWT, one for each name. */
export function tokenText(name: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ jti: name, iat: 1, exp: 2, client_id: 'sandbox' })}.c2lnbmF0dXJl`;
}
