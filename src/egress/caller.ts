import { setTimeout as sleep } from 'node:timers/promises';
import { TokenError } from '../client/client.ts';
import type { Effect } from '../contract/contract.ts';
import { type Auth, type Call, isGood, type Purpose } from '../model/call.ts';
import type { Exchange, HeaderFields } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';
import { asksToWait, reasonToWait, retryAfter } from '../net/asked-to-wait.ts';
import type { Limits } from '../net/settings.ts';
import type { Breaker, Health } from './breaker.ts';
import { type Egress, NotSent, type OutgoingRequest } from './egress.ts';
import { toFetch } from './exchange-fetch.ts';
import type { Patience } from './patience.ts';
import { createPulse } from './pulse.ts';
import { backoff, isBroken, isHang, isRepeatable, isSilence, isUnending, isWeather } from './weather.ts';

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

/** The parts of a call that may hold credentials. */
export type Sendable = Pick<CallRequest, 'headers' | 'body'>;

/** What authenticates a call; secrets enter here and nowhere before. */
export interface Authenticator {
  /** A call that is sent as it is, with what authenticates it. */
  dress(auth: Exclude<Auth, 'token'>, call: Sendable): Sendable;
  /** A fetch that carries the token, gets a new one on 401 and tries once more. */
  withToken(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
}

/** The way to the target, as all that call it share it. */
export interface Way {
  /** Its origin is the only one that gets the token. */
  readonly baseUrl: string;
  readonly egress: Egress;
  readonly breaker: Breaker;
  readonly patience: Patience;
  readonly limits: Limits;
  readonly random: () => number;
  /** Told of each call when it has ended. */
  readonly onCall: (call: Call) => void;
}

export interface CallerOptions extends Way {
  readonly authenticator: Authenticator;
  /** Seconds in which a target that has gone silent must show that it lives. */
  readonly pulse: number;
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

export interface Caller {
  /** Makes one call with all its retries; never throws for what the target does. */
  call(request: CallRequest): Promise<Call>;
}

/** What has been tried of a call so far. */
interface Course {
  readonly attempts: Exchange[];
  /** Why it was not tried again, where the answer does not say it. */
  gaveUp?: string;
}

/** Answers that did not end, after which an operation has had its chance. */
const MOST_UNENDING = 2;
const INTERRUPTED = 'the run was interrupted';
const LONGER = 'that is longer than a run waits';

export function createCaller(options: CallerOptions): Caller {
  const { egress, breaker, patience, limits } = options;
  const signal = AbortSignal.any([options.signal, breaker.signal]);
  const pulse = createPulse(egress, options.pulse, signal, (call) => {
    calls += 1;
    options.onCall({ number: calls, ...call });
  });
  /** Operations that did not answer, also when tried again. */
  const hushed = new Set<string>();
  /** When an operation that asked to be left alone may be asked again; milliseconds since the epoch. */
  const heldOff = new Map<string, number>();
  /** How often an operation did not end its answer in time. */
  const unending = new Map<string, number>();
  let calls = 0;

  /** Sends once. A target of which nothing answers any more ends the run. */
  async function once(call: CallRequest, request: OutgoingRequest): Promise<Exchange> {
    const before = pulse.answers;
    const exchange = await egress.send(request, breaker.signal);
    if (exchange.response !== null) pulse.answered(call, request);
    const { operationId } = request;
    if (isUnending(exchange)) unending.set(operationId, (unending.get(operationId) ?? 0) + 1);
    if (isHang(exchange) && !(await pulse.beats(operationId, before))) {
      if (!signal.aborted) breaker.trip('the target does not answer any more');
    }
    return exchange;
  }

  /** Sends until the weather is over or patience is; each try is an attempt of the call. */
  async function send(call: CallRequest, request: OutgoingRequest, course: Course, retries: number): Promise<Exchange> {
    const { operationId } = request;
    for (let retry = 1; ; retry += 1) {
      if (breaker.open !== null) throw new NotSent(breaker.open);
      const exchange = await once(call, request);
      course.attempts.push(exchange);
      if (!isWeather(exchange)) return exchange;
      const wait = asksToWait(exchange) ? retryAfter(exchange) : null;
      if (wait !== null) heldOff.set(operationId, options.clock() + wait);
      if (!isRepeatable(exchange, call.effect)) {
        course.gaveUp = 'the call is not repeated, because it may have been carried out';
        return exchange;
      }
      if (wait !== null) {
        // A target that names a time is waited for as long as the budget lasts, however often.
        if (retry > retries + 3) return exchange;
        if (!(await breaker.idle(() => patience.wait(wait, signal)))) {
          course.gaveUp = LONGER;
          return exchange;
        }
      } else {
        // A timeout is dear: one more try, and none for an operation that was silent twice before.
        const silent = isSilence(exchange);
        if (retry > (silent ? Math.min(retries, hushed.has(operationId) ? 0 : 1) : retries)) {
          if (silent) hushed.add(operationId);
          return exchange;
        }
        await sleep(backoff(retry, limits.backoff, options.random), undefined, { signal }).catch(() => {});
      }
      if (signal.aborted) return exchange;
    }
  }

  /** Why a call is not sent now; waits where its operation asked for that before. */
  async function heldBack({ operationId }: CallRequest): Promise<string | null> {
    if (options.signal.aborted) return INTERRUPTED;
    if (breaker.open !== null) return breaker.open;
    const times = unending.get(operationId) ?? 0;
    if (times >= MOST_UNENDING)
      return `${operationId} did not end its answer in time ${times} times and is not asked again`;
    const wait = Math.max(0, (heldOff.get(operationId) ?? 0) - options.clock());
    if (wait === 0 || (await patience.wait(wait, signal))) return null;
    if (options.signal.aborted) return INTERRUPTED;
    return breaker.open ?? `${operationId} asks to wait ${Math.ceil(wait / 1000)} s; ${LONGER}`;
  }

  async function run(request: CallRequest, course: Course): Promise<void> {
    // What provokes our own client is sent as often as the check says; what the run does on its own account is like any other call.
    const retries = request.purpose === 'client' && request.checkId !== null ? 0 : limits.retries;
    if (request.auth !== 'token') {
      await send(request, { ...request, ...options.authenticator.dress(request.auth, request) }, course, retries);
      return;
    }
    const fetch = options.authenticator.withToken(
      toFetch((headers) => send(request, { ...request, headers }, course, retries)),
    );
    await fetch(`${options.baseUrl}${request.target}`, {
      method: request.method,
      headers: request.headers.map(([name, value]) => [name, value] as [string, string]),
      body: request.body === null ? null : Buffer.from(request.body),
      redirect: 'manual',
    });
  }

  return {
    async call(request) {
      calls += 1;
      const number = calls;
      const course: Course = { attempts: [] };
      const { attempts } = course;
      let notSent = await heldBack(request);
      const counts = request.auth !== 'client' && request.auth !== 'wrong-client';
      if (notSent === null) {
        breaker.begin();
        try {
          await run(request, course);
        } catch (error) {
          notSent = options.signal.aborted ? INTERRUPTED : reasonOf(error, attempts, breaker);
        }
        if (options.signal.aborted) notSent ??= INTERRUPTED;
        else if (attempts.at(-1)?.failure?.kind === 'aborted') notSent ??= breaker.open;
      }
      const { checkId, operationId, purpose, auth, parameters } = request;
      const gaveUp = course.gaveUp === undefined ? {} : { gaveUp: course.gaveUp };
      const call: Call = { number, checkId, operationId, purpose, auth, parameters, attempts, notSent, ...gaveUp };
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
  if (breaker.open !== null) return breaker.open;
  const notSent = find(error, (cause) => cause instanceof NotSent);
  if (notSent !== undefined) return notSent.message;
  // Without a new token, what the operation said to the old one means nothing.
  const noToken = find(error, (cause) => cause instanceof TokenError);
  if (attempts.length > 0 && noToken === undefined) return null;
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
  if (last.failure !== null) return ['bad', last.failure.message];
  if (last.response === null) return ['bad', 'no answer'];
  if (last.response.status >= 200 && last.response.status < 300) {
    if (isGood(call) && !isBroken(last)) return ['good', ''];
    return isBeyondLimits(contentOf(last)) ? ['alive', ''] : ['bad', 'it answers with what cannot be read'];
  }
  if (asksToWait(last)) return ['busy', reasonToWait(call)];
  if (last.response.status >= 500) return ['bad', `it answers ${last.response.status}`];
  if (last.response.status === 401 && call.purpose === 'succeed' && call.auth === 'token')
    return ['unauthorised', '401'];
  return ['alive', ''];
}
