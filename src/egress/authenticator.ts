import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenProvider, TokenError, type TokenProvider, withToken } from '../client/client.ts';
import { type Credentials, clientCredentials } from '../client/credentials.ts';
import type { Operation, TokenFacts } from '../contract/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { asksToWait, retryAfter } from '../net/asked-to-wait.ts';
import type { Timeouts } from '../net/settings.ts';
import type { Authenticator, Way } from './caller.ts';
import { NotSent, type OutgoingRequest } from './egress.ts';
import { toResponse } from './exchange-fetch.ts';
import { backoff, isWeather } from './weather.ts';

export interface AuthenticatorOptions extends Way {
  readonly username: string;
  readonly password: string;
  /** Plain http is wanted although it leaves this machine. */
  readonly allowInsecure: boolean;
  readonly timeouts: Timeouts;
  /** The operation that issues tokens. */
  readonly tokenOperation: Pick<Operation, 'operationId' | 'path'>;
  readonly clientAuthentication: TokenFacts['clientAuthentication'];
}

export interface RunAuthenticator extends Authenticator {
  /** Gets the first token; what it costs to find out whether the target lets us in. Throws what the token client throws. */
  warm(): Promise<void>;
}

/** Seconds that must be left for another attempt. */
const LEAST = 0.1;
/** Seconds; beyond all waits of a run. */
const LONGEST = 3600;

/** Says why there was no answer, or how long the endpoint asks to wait, beside what became of the request. */
function withReason(error: TokenError, last: Exchange): TokenError {
  const wait = asksToWait(last) ? retryAfter(last) : null;
  const asked = wait === null ? '' : ` and asks to wait ${Math.ceil(wait / 1000)} s; that is longer than a run waits`;
  const why = last.failure === null ? asked : `: ${last.failure.message}`;
  const { code, endpoint, status, error: word, field } = error;
  return new TokenError(code, `${error.message}${why}`, {
    endpoint,
    cause: error,
    ...(status === null ? {} : { status }),
    ...(word === null ? {} : { error: word }),
    ...(field === null ? {} : { field }),
  });
}

/** Knows the credentials; everything else in the run only names the way in which a call authenticates. */
export function createAuthenticator(options: AuthenticatorOptions): RunAuthenticator {
  const { egress, breaker, patience, timeouts, limits } = options;
  const { operationId, path } = options.tokenOperation;
  const tokenPath = path ?? '/';
  const credentialsWith = (password: string): Credentials =>
    clientCredentials(options.username, password, options.clientAuthentication, false);
  const right = credentialsWith(options.password);
  const wrong = credentialsWith(`wrong-${randomBytes(12).toString('hex')}`);
  const garbage = `Bearer garbage-${randomBytes(12).toString('hex')}`;
  let attempts: Exchange[] = [];

  /** Tells of a token request with its retries, as a call of the run itself. */
  function flush(): void {
    if (attempts.length === 0) return;
    const call = { checkId: null, operationId, purpose: 'succeed', auth: 'client', parameters: {} } as const;
    options.onCall({ number: 0, ...call, attempts, notSent: null });
    attempts = [];
  }

  /** One token request; the time of an attempt counts for all of it, its end too. */
  async function once(request: OutgoingRequest, given: AbortSignal | undefined, seconds: number): Promise<Exchange> {
    if (breaker.open !== null) throw new NotSent(breaker.open);
    const late = AbortSignal.timeout(Math.ceil(seconds * 1000));
    breaker.begin();
    try {
      const signals = [late, breaker.signal, ...(given === undefined ? [] : [given])];
      const exchange = await egress.send(request, AbortSignal.any(signals));
      if (exchange.failure?.kind !== 'aborted' || !late.aborted) return exchange;
      return { ...exchange, failure: { kind: 'call-timeout', message: 'no whole answer in time' } };
    } finally {
      breaker.end(operationId, 'alive', '', false);
    }
  }

  /**
   * Asks for a token until the weather is over, or until asking has taken as long as a dead target may. Waits that the endpoint asks
   * for come out of the patience of the run.
   */
  async function send(init: RequestInit): Promise<Response> {
    const given = init.signal ?? undefined;
    const stop = given === undefined ? breaker.signal : AbortSignal.any([given, breaker.signal]);
    const request: OutgoingRequest = {
      operationId,
      purpose: 'succeed',
      method: 'POST',
      target: tokenPath,
      headers: [...new Headers(init.headers)],
      body: Buffer.from(String(init.body ?? '')),
    };
    let left = timeouts.dead;
    for (let retry = 1; ; retry += 1) {
      const started = performance.now();
      const exchange = await once(request, given, Math.min(timeouts.firstByte, left));
      attempts.push(exchange);
      if (!isWeather(exchange)) {
        if (exchange.response?.status === 200) flush();
        return toTokenResponse(exchange);
      }
      left -= (performance.now() - started) / 1000;
      const wait = asksToWait(exchange) ? retryAfter(exchange) : null;
      const pause = wait ?? backoff(retry, limits.backoff, options.random);
      const over = retry > limits.retries || left < pause / 1000 + LEAST;
      if (wait === null ? over : retry > limits.retries + 3) return toTokenResponse(exchange);
      if (wait === null) await sleep(pause, undefined, { signal: stop }).catch(() => {});
      else if (!(await patience.wait(wait, stop))) return toTokenResponse(exchange);
      if (stop.aborted) return toTokenResponse(exchange);
    }
  }

  const inner = createTokenProvider({
    baseUrl: options.baseUrl,
    tokenPath,
    clientAuthentication: options.clientAuthentication,
    username: options.username,
    password: options.password,
    allowInsecure: options.allowInsecure,
    fetch: (_, init) => send(init),
    random: options.random,
    // What is tried again, and for how long, is decided above.
    retries: 0,
    timeouts: { call: LONGEST, total: LONGEST },
    // The breaker stops the run instead.
    coolDown: false,
  });

  const provider: TokenProvider = {
    origin: inner.origin,
    invalidate: (token) => inner.invalidate(token),
    async getToken(given) {
      try {
        return await inner.getToken(given);
      } catch (error) {
        const last = attempts.at(-1);
        flush();
        throw last !== undefined && error instanceof TokenError ? withReason(error, last) : error;
      }
    },
  };

  return {
    dress(auth, { headers, body }) {
      if (auth === 'none') return { headers, body };
      if (auth === 'garbage') return { headers: [...headers, ['authorization', garbage]], body };
      const { authorization, fields } = auth === 'client' ? right : wrong;
      if (authorization !== null) return { headers: [...headers, ['authorization', authorization]], body };
      return { headers, body: Buffer.concat([body ?? Buffer.alloc(0), Buffer.from(fields)]) };
    },
    withToken: (fetch) => withToken((input, init) => fetch(input, init), provider),
    async warm() {
      await provider.getToken();
    },
  };
}

/**
 * The answer of the token endpoint as the run's own client gets it: without a `scope` or `expires_in` that it would refuse. What they
 * are is the judge's to tell, who has the exchange itself; the token may serve all the same, and the rest of the run with it.
 */
function toTokenResponse(exchange: Exchange): Response {
  const { response } = exchange;
  const members = response?.status === 200 ? parse(response.body.bytes) : null;
  if (members === null) return toResponse(exchange);
  const { scope, expires_in, ...others } = members;
  const usable = {
    ...others,
    ...(typeof scope === 'string' ? { scope } : {}),
    ...(isLifetime(expires_in) ? { expires_in } : {}),
  };
  if (Object.keys(usable).length === Object.keys(members).length) return toResponse(exchange);
  return new Response(JSON.stringify(usable), toResponse(exchange));
}

/** Seconds; some servers send the number as a string. */
function isLifetime(value: unknown): boolean {
  return Number.isFinite(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value));
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
