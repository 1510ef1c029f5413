import { randomBytes } from 'node:crypto';
import { type AccessToken, createTokenProvider } from '../client/client.ts';
import { clientCredentials } from '../client/credentials.ts';
import type { TokenFacts } from '../contract/contract.ts';
import { type CallRequest, type Forgery, isForgery } from '../model/call.ts';
import { type Exchange, header, is2xx } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';
import { isObject } from '../schema/json.ts';
import { NotSent, type Way } from './egress.ts';
import { forged } from './forged.ts';
import { isUnreadable, type Sent, sendWithRetries } from './retry.ts';

export interface TokensOptions extends Way, Pick<TokenFacts, 'operationId' | 'clientAuthentication'> {
  readonly baseUrl: string;
  readonly tokenPath: string;
  readonly username: string;
  readonly password: string;
  /** A token that replaces the endpoint. */
  readonly ready: string | undefined;
}

/** Seconds that must remain for another attempt. */
const LEAST = 0.1;
/** Longest pause between two tries, in milliseconds. */
const LONGEST_PAUSE = 2000;
/** Seconds, longer than all waits of a run. */
const LONGEST = 3600;

export type Tokens = ReturnType<typeof createTokens>;

/**
 * The authentication of a run. Only this module knows the credentials; other code names the kind of authentication.
 *
 * @throws TypeError for credentials that cannot be sent; TokenError `insecure` for http beyond loopback
 */
export function createTokens(options: TokensOptions) {
  const { egress, breaker, wait, timeouts, limits, random } = options;
  const { baseUrl, operationId, tokenPath, ready, username, password, clientAuthentication } = options;
  const fixed = {
    client: clientCredentials(username, password, clientAuthentication, false),
    'wrong-client': clientCredentials(username, randomWord('wrong'), clientAuthentication, false),
    garbage: { authorization: `Bearer ${randomWord('garbage')}`, fields: '' },
  };
  let lost: Error | undefined;
  /** How the current request ended: as sent, or not sent at all. */
  let outcome: Sent | NotSent | undefined;

  /** The network of the token client. Retries until the trouble ends, or until the time limit for a dead target. */
  async function send(_: string, init: RequestInit): Promise<Response> {
    const { signal } = breaker;
    const body = Buffer.from(String(init.body ?? ''));
    const headers = [...new Headers(init.headers)];
    const request = { operationId, purpose: 'succeed', method: 'POST', target: tokenPath, headers, body } as const;
    outcome = undefined;
    let waited = 0;
    const began = performance.now();
    /** Seconds that remain, not counting waits that the endpoint asked for. */
    const left = (): number => timeouts.dead - (performance.now() - began - waited) / 1000;
    const attempts: Exchange[] = [];
    const attempt = async (): Promise<Exchange> => {
      if (breaker.open !== null) throw new NotSent(breaker.open);
      const seconds = Math.min(timeouts.firstByte, left());
      const exchange = await egress.send({ ...request, seconds }, signal);
      attempts.push(exchange);
      return exchange;
    };
    const waitAsAsked = async (milliseconds: number): Promise<string | null> => {
      const from = performance.now();
      const refusal = await wait(milliseconds, signal);
      waited += performance.now() - from;
      return refusal;
    };
    try {
      outcome = await sendWithRetries(attempt, {
        isRepeatable: true,
        limits,
        longestPause: LONGEST_PAUSE,
        random,
        signal,
        wait: waitAsAsked,
        isWorthIt: (last, retry, pause) =>
          (retry <= limits.retries || !isHopeless(last)) && left() >= pause / 1000 + LEAST,
      });
      return responseFrom(outcome.exchange);
    } catch (error) {
      if (error instanceof NotSent) outcome = error;
      throw error;
    } finally {
      const call = { checkId: null, operationId, purpose: 'succeed', auth: 'client', parameters: {} } as const;
      if (attempts.length > 0) options.onCall({ ...call, attempts, notSent: null });
    }
  }

  const provider = createTokenProvider({
    ...{ baseUrl, tokenPath, clientAuthentication, username, password, random },
    // the caller has checked the address
    allowInsecure: true,
    fetch: send,
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
      if (ready !== undefined) return { value: ready, issuedAt: 0, expiresIn: null, jti: null, scope: null };
      if (lost !== undefined) throw lost;
      try {
        return await provider.getToken();
      } catch (error) {
        if (outcome instanceof NotSent) throw outcome;
        if (!(error instanceof Error) || outcome === undefined) throw error;
        const { exchange } = outcome;
        if (is2xx(exchange.response?.status ?? 0) && !isUnreadable(exchange)) lost = error;
        throw withReason(error, outcome);
      }
    },
    invalidate: (token: AccessToken): void => provider.invalidate(token),
    /**
     * Adds the authentication of a request. Keeps an existing `authorization` field. Throws `NotSent` if a token that
     * is no signed JWT shall be forged.
     *
     * @param token needed for a request with the run's token or a forged one
     */
    dress(request: CallRequest, token: AccessToken | null): CallRequest {
      const { auth, headers, body } = request;
      if (auth === 'none' || header(headers, 'authorization') !== undefined) return request;
      const { authorization, fields } =
        auth === 'token' || isForgery(auth) ? bearer(auth, token?.value ?? '') : fixed[auth];
      return {
        ...request,
        headers: authorization === null ? headers : [...headers, ['authorization', authorization]],
        body: fields === '' ? body : Buffer.concat([body ?? Buffer.alloc(0), Buffer.from(fields)]),
      };
    },
  };
}

function bearer(auth: 'token' | Forgery, token: string): { readonly authorization: string; readonly fields: string } {
  const value = auth === 'token' ? token : forged(token, auth);
  if (value === null) throw new NotSent('the token is no longer a signed JWT');
  return { authorization: `Bearer ${value}`, fields: '' };
}

/** True if a retry cannot help: unknown host name, proxy without access, or rejected certificate. */
function isHopeless({ failure }: Exchange): boolean {
  return failure !== null && ['dns', 'proxy', 'tls'].includes(failure.kind);
}

function randomWord(what: string): string {
  return `${what}-${randomBytes(12).toString('hex')}`;
}

function withReason(error: Error, { exchange: { failure }, gaveUp }: Sent): Error {
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
  return new Response(WITHOUT_BODY.includes(status) ? null : bodyFor(exchange), { status, headers });
}

/** Members of a token response that the token client would reject, unless their values are as here. */
const USABLE: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['scope', (value) => typeof value === 'string'],
  // In seconds. Some servers send the number as a string.
  ['expires_in', (value) => Number.isFinite(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value))],
]);

/**
 * The body of a token response, without unusable members. The judge reports those from the original exchange. The token
 * may still work for the rest of the run.
 */
function bodyFor(exchange: Exchange): string | Buffer<ArrayBuffer> {
  const content = contentOf(exchange);
  const members = Object.entries(content.kind === 'json' && isObject(content.value) ? content.value : {});
  const usable = members.filter(([name, value]) => USABLE.get(name)?.(value) ?? true);
  if (usable.length < members.length) return JSON.stringify(Object.fromEntries(usable));
  return Buffer.from(exchange.response?.body.bytes ?? []);
}
