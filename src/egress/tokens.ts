import { randomBytes } from 'node:crypto';
import { type AccessToken, createTokenProvider } from '../client/client.ts';
import { clientCredentials } from '../client/credentials.ts';
import type { Operation, TokenFacts } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import type { Auth, Forgery } from '../model/call.ts';
import { type Exchange, type HeaderFields, header, is2xx } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';
import { NotSent, type OutgoingRequest, type Way } from './egress.ts';
import { failureOf } from './failure.ts';
import { forged } from './forged.ts';
import { isUnreadable, sendWithRetries } from './retry.ts';

export interface TokensOptions extends Way {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** Allow plain http beyond this machine. */
  readonly allowInsecure: boolean;
  readonly tokenOperation: Pick<Operation, 'operationId' | 'path'>;
  readonly clientAuthentication: TokenFacts['clientAuthentication'];
}

export type Sendable = Pick<OutgoingRequest, 'headers' | 'body'>;

/** Seconds that must remain for another attempt. */
const LEAST = 0.1;
/** Longest pause between two tries, in milliseconds. */
const LONGEST_PAUSE = 2000;
/** Seconds, longer than all waits of a run. */
const LONGEST = 3600;

export function withAuthorization(headers: HeaderFields, value: string): HeaderFields {
  return [...headers, ['authorization', value]];
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * The authentication of a run. Only this module knows the credentials; other code names the kind of authentication.
 *
 * @throws TypeError for credentials that cannot be sent; TokenError `insecure` for http beyond loopback
 */
export function createTokens(options: TokensOptions) {
  const { egress, breaker, wait, timeouts, limits, random, baseUrl, username, password, clientAuthentication } =
    options;
  const { operationId, path } = options.tokenOperation;
  const tokenPath = path ?? '/';
  const right = clientCredentials(username, password, clientAuthentication, false);
  const wrong = clientCredentials(username, randomWord('wrong'), clientAuthentication, false);
  const garbage = `Bearer ${randomWord('garbage')}`;
  let keptIn: NotSent | undefined;
  let lost: Error | undefined;
  /** The endpoint's last answer to the current request, and why there was no retry. */
  let last: Exchange | undefined;
  let gaveUp: string | undefined;

  /** The network of the token client. Retries until the trouble ends, or until the time limit for a dead target. */
  async function send(_: string, init: RequestInit): Promise<Response> {
    const given = init.signal ?? breaker.signal;
    const signal = AbortSignal.any([given, breaker.signal]);
    const body = Buffer.from(String(init.body ?? ''));
    const headers = [...new Headers(init.headers)];
    const request = { operationId, purpose: 'succeed', method: 'POST', target: tokenPath, headers, body } as const;
    let waited = 0;
    const began = performance.now();
    /** Seconds that remain, not counting waits that the endpoint asked for. */
    const left = (): number => timeouts.dead - (performance.now() - began - waited) / 1000;
    const attempts: Exchange[] = [];
    const attempt = async (): Promise<Exchange> => {
      if (breaker.open !== null) throw new NotSent(breaker.open);
      // The time limit includes the end of the answer.
      const late = AbortSignal.timeout(Math.ceil(Math.min(timeouts.firstByte, left()) * 1000));
      const exchange = await egress.send(request, AbortSignal.any([late, signal]));
      const isLate = exchange.failure?.kind === 'aborted' && late.aborted;
      last = isLate ? { ...exchange, failure: failureOf('call-timeout') } : exchange;
      attempts.push(last);
      return last;
    };
    const waitAsAsked = async (milliseconds: number): Promise<string | null> => {
      const from = performance.now();
      const refusal = await wait(milliseconds, signal);
      waited += performance.now() - from;
      return refusal;
    };
    try {
      const sent = await sendWithRetries(attempt, {
        isRepeatable: true,
        limits,
        tries: Number.POSITIVE_INFINITY,
        longestPause: LONGEST_PAUSE,
        random,
        signal,
        wait: waitAsAsked,
        isWorthIt: (last, retry, pause) =>
          (retry <= limits.retries || !isHopeless(last)) && left() >= pause / 1000 + LEAST,
      });
      gaveUp = sent.gaveUp;
      return responseFrom(sent.exchange);
    } catch (error) {
      if (error instanceof NotSent) keptIn = error;
      throw error;
    } finally {
      const call = { checkId: null, operationId, purpose: 'succeed', auth: 'client', parameters: {} } as const;
      if (attempts.length > 0) options.onCall({ ...call, attempts, notSent: null });
    }
  }

  const provider = createTokenProvider({
    baseUrl,
    tokenPath,
    clientAuthentication,
    username,
    password,
    allowInsecure: options.allowInsecure,
    fetch: send,
    random,
    // Retries are handled above, and the breaker stops the run.
    retries: 0,
    timeouts: { call: LONGEST, total: LONGEST },
    coolDown: false,
  });

  return {
    /** True if the endpoint answered with a success but no token. Requests without a token can show why. */
    get isLost(): boolean {
      return lost !== undefined;
    },
    /** The current token, or a new one. Throws `NotSent` if the run prevents the request, else an error. */
    async get(): Promise<AccessToken> {
      if (lost !== undefined) throw lost;
      keptIn = undefined;
      last = undefined;
      try {
        return await provider.getToken();
      } catch (error) {
        if (keptIn === undefined && error instanceof Error && last !== undefined && isReadableSuccess(last))
          lost = error;
        throw keptIn ?? (error instanceof Error && last !== undefined ? withReason(error, last, gaveUp) : error);
      }
    },
    invalidate: (token: AccessToken): void => provider.invalidate(token),
    /** A request with a forged token. Throws `NotSent` if the token is not a signed JWT. */
    forge(how: Forgery, { value }: AccessToken, { headers, body }: Sendable): Sendable {
      const token = forged(value, how);
      if (token === null) throw new NotSent('the token is no longer a signed JWT');
      return { headers: withAuthorization(headers, `Bearer ${token}`), body };
    },
    /** Adds other authentication than the run's own token. Keeps an existing `authorization` field. */
    dress(auth: Exclude<Auth, 'token' | Forgery>, { headers, body }: Sendable): Sendable {
      const hasOwn = header(headers, 'authorization') !== undefined;
      if (auth === 'none' || hasOwn) return { headers, body };
      if (auth === 'garbage') return { headers: withAuthorization(headers, garbage), body };
      const { authorization, fields } = auth === 'client' ? right : wrong;
      if (authorization !== null) return { headers: withAuthorization(headers, authorization), body };
      return { headers, body: Buffer.concat([body ?? Buffer.alloc(0), Buffer.from(fields)]) };
    },
  };
}

function isReadableSuccess(exchange: Exchange): boolean {
  return is2xx(exchange.response?.status ?? 0) && !isUnreadable(exchange);
}

/** True if a retry cannot help: unknown host name, proxy without access, or rejected certificate. */
function isHopeless({ failure }: Exchange): boolean {
  return failure !== null && ['dns', 'proxy', 'tls'].includes(failure.kind);
}

function randomWord(what: string): string {
  return `${what}-${randomBytes(12).toString('hex')}`;
}

function withReason(error: Error, { failure }: Exchange, gaveUp: string | undefined): Error {
  const why = failure === null ? gaveUp && `; ${gaveUp}` : `: ${failure.message}`;
  return new Error(`${error.message}${why ?? ''}`, { cause: error });
}

const WITHOUT_BODY = [204, 205, 304];

/** The result of a fetch: a response for an exchange with an answer, else a thrown `TypeError`. */
function responseFrom(exchange: Exchange): Response {
  const { response } = exchange;
  if (response === null) throw new TypeError('fetch failed', { cause: new Error(exchange.failure?.message) });
  const status = response.status >= 200 && response.status <= 599 ? response.status : 599;
  const headers = response.headers.map(([name, value]): [string, string] => [name, value]);
  return new Response(WITHOUT_BODY.includes(status) ? null : bodyFor(exchange, status), { status, headers });
}

/**
 * The body of a token response, without a `scope` or `expires_in` that the token client would reject. The judge reports
 * those from the original exchange. The token may still work for the rest of the run.
 */
function bodyFor(exchange: Exchange, status: number): string | Buffer<ArrayBuffer> {
  const content = contentOf(exchange);
  if (status === 200 && content.kind === 'json' && isObject(content.value)) {
    const { scope, expires_in, ...others } = content.value;
    const isScope = scope === undefined || typeof scope === 'string';
    const isUsable = expires_in === undefined || isLifetime(expires_in);
    if (!isScope || !isUsable) {
      return JSON.stringify({ ...others, ...(isScope && { scope }), ...(isUsable && { expires_in }) });
    }
  }
  return Buffer.from(exchange.response?.body.bytes ?? []);
}

/** In seconds. Some servers send the number as a string. */
function isLifetime(value: unknown): boolean {
  return Number.isFinite(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value));
}
