import { setTimeout as sleep } from 'node:timers/promises';
import { type Auth, type Call, isGood, type Purpose } from '../drift/call.ts';
import type { Exchange, HeaderFields } from '../http/exchange.ts';
import type { Effect } from '../spec/contract.ts';
import type { Breaker, Health } from './breaker.ts';
import type { Egress, OutgoingRequest } from './egress.ts';
import { toFetch } from './exchange-fetch.ts';
import { NotSent } from './not-sent.ts';
import type { Patience } from './patience.ts';
import type { Limits } from './settings.ts';
import { asksToWait, backoff, isBroken, isRepeatable, isSilence, isWeather, retryAfter } from './weather.ts';

/** A call as the suite (or the run itself) asks for it. */
export interface CallRequest {
  readonly checkId: string | null;
  readonly operationId: string;
  readonly effect: Effect;
  readonly purpose: Purpose;
  readonly auth: Auth;
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: HeaderFields;
  readonly body: Uint8Array | null;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What authenticates a call; secrets enter here and nowhere before. */
export interface Authenticator {
  /** Value of the Authorization header of a call that is sent as it is; null for none. */
  fixed(auth: Exclude<Auth, 'token'>): string | null;
  /** A fetch that carries the token, gets a new one on 401 and tries once more. */
  withToken(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
}

export interface CallerOptions {
  /** Its origin is the only one that gets the token. */
  readonly baseUrl: string;
  readonly egress: Egress;
  readonly authenticator: Authenticator;
  readonly breaker: Breaker;
  readonly patience: Patience;
  readonly limits: Limits;
  readonly clock: () => number;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Told of each call when it has ended. */
  readonly onCall: (call: Call) => void;
}

export interface Caller {
  /** Makes one call with all its retries; never throws for what the target does. */
  call(request: CallRequest): Promise<Call>;
}

export function createCaller(options: CallerOptions): Caller {
  const { egress, breaker, patience, limits } = options;
  const signal = AbortSignal.any([options.signal, breaker.signal]);
  /** Operations that did not answer, also when tried again. */
  const hushed = new Set<string>();
  let calls = 0;

  /** Sends until the weather is over or patience is; each try is an attempt of the call. */
  async function send(
    request: OutgoingRequest,
    effect: Effect,
    attempts: Exchange[],
    retries: number,
  ): Promise<Exchange> {
    for (let retry = 1; ; retry += 1) {
      if (breaker.open !== null) throw new NotSent('circuit', breaker.open);
      const exchange = await egress.send(request, breaker.signal);
      attempts.push(exchange);
      if (!isWeather(exchange) || !isRepeatable(exchange, effect)) return exchange;
      const wait = asksToWait(exchange) ? retryAfter(exchange, options.clock()) : null;
      if (wait !== null) {
        // A target that names a time is waited for as long as the budget lasts, however often.
        if (retry > limits.retries + 3 || !(await patience.wait(wait, signal))) return exchange;
      } else {
        // A timeout is dear: one more try, and none for an operation that was silent twice before.
        const silent = isSilence(exchange);
        if (retry > (silent ? Math.min(retries, hushed.has(request.operationId) ? 0 : 1) : retries)) {
          if (silent) hushed.add(request.operationId);
          return exchange;
        }
        await sleep(backoff(retry, limits.backoff, options.random), undefined, { signal }).catch(() => {});
      }
      if (signal.aborted) return exchange;
    }
  }

  async function run(request: CallRequest, attempts: Exchange[]): Promise<void> {
    const base = request;
    const retries = request.purpose === 'client' ? 0 : limits.retries;
    if (request.auth !== 'token') {
      const value = options.authenticator.fixed(request.auth);
      const headers: HeaderFields = value === null ? base.headers : [...base.headers, ['authorization', value]];
      await send({ ...base, headers }, request.effect, attempts, retries);
      return;
    }
    const fetch = options.authenticator.withToken(
      toFetch((headers) => send({ ...base, headers }, request.effect, attempts, retries)),
    );
    await fetch(`${options.baseUrl}${request.target}`, {
      method: request.method,
      headers: base.headers.map(([name, value]) => [name, value] as [string, string]),
      body: request.body === null ? null : Buffer.from(request.body),
      redirect: 'manual',
    });
  }

  return {
    async call(request) {
      calls += 1;
      const number = calls;
      const attempts: Exchange[] = [];
      let notSent: string | null = breaker.open;
      const counts = request.operationId !== 'getToken';
      if (notSent === null) {
        breaker.begin();
        try {
          await run(request, attempts);
        } catch (error) {
          notSent = reasonOf(error, attempts, breaker);
        }
        if (options.signal.aborted) notSent ??= 'the run was interrupted';
        else if (attempts.at(-1)?.failure?.kind === 'aborted') notSent ??= breaker.open;
      }
      const { checkId, operationId, purpose, auth, parameters } = request;
      const call: Call = { number, checkId, operationId, purpose, auth, parameters, attempts, notSent };
      if (attempts.length > 0 || notSent === null) {
        const [health, why] = healthOf(call);
        breaker.end(operationId, health, why, counts);
      } else if (breaker.open === null) {
        breaker.end(operationId, 'alive', '', false);
      }
      options.onCall(call);
      return call;
    },
  };
}

/** Null where the target's own last answer (or silence) is what counts. */
function reasonOf(error: unknown, attempts: readonly Exchange[], breaker: Breaker): string | null {
  const notSent = find(error, (cause) => cause instanceof NotSent);
  if (notSent !== undefined) return notSent.message;
  if (attempts.length > 0) return null;
  const message = error instanceof Error ? error.message : 'unknown trouble';
  breaker.trip(`no token: ${message}`);
  return `no token: ${message}`;
}

function find(error: unknown, wanted: (error: Error) => boolean): Error | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (wanted(cause)) return cause;
  }
  return undefined;
}

function healthOf(call: Call): [Health, string] {
  const last = call.attempts.at(-1);
  if (last === undefined) return ['bad', 'no answer'];
  if (last.response === null) return ['bad', last.failure?.message ?? 'no answer'];
  if (last.response.status >= 200 && last.response.status < 300) {
    return isGood(call) && !isBroken(last) ? ['good', ''] : ['bad', 'it answers with what cannot be read'];
  }
  if (last.response.status >= 500) return ['bad', `it answers ${last.response.status}`];
  if (last.response.status === 401 && call.purpose === 'succeed' && call.auth === 'token')
    return ['unauthorised', '401'];
  return ['alive', ''];
}
