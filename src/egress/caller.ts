import type { AccessToken } from '../client/client.ts';
import { type Call, type CallRequest, isForgery, isGood, type Purpose } from '../model/call.ts';
import { type Exchange, is2xx } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';
import { answersToWait, asksToWait, retryAfter } from '../net/retry-after.ts';
import type { CallHealth } from './breaker.ts';
import { NotSent, type Way } from './egress.ts';
import { hasHung, watchLiveness } from './liveness.ts';
import { isUnreadable, MORE_BY_REQUEST, sendWithRetries } from './retry.ts';
import type { Tokens } from './tokens.ts';

/** Makes one call with all its retries. Never throws for failures of the target. */
export type MakeCall = (request: CallRequest) => Promise<Call>;

interface Course {
  readonly attempts: Exchange[];
  /** Why it was not retried, if the answer does not show it. */
  gaveUp?: string;
}

const IDEMPOTENT = ['PUT', 'DELETE'];
/** After this many attempts in a row without a whole answer in time, checks do not call an operation again. */
const MOST_HUNG = 2;
const INTERRUPTED = 'the run was interrupted';

export function createCaller(way: Way, tokens: Tokens): MakeCall {
  const { egress, breaker, wait, limits, random, clock } = way;
  const signal = AbortSignal.any([way.signal, breaker.signal]);
  /** By operation: when the wait that it asked for ends, in milliseconds since the epoch. */
  const heldUntil = new Map<string, number>();
  /** By operation and purpose, because a gateway may hold only the requests that it rejects. */
  const hung = new Map<string, number>();
  const sendWatched = watchLiveness(way, signal);

  function timesHung(operationId: string, purpose: Purpose): number {
    return hung.get(`${operationId} ${purpose}`) ?? 0;
  }

  async function send(call: CallRequest, token: AccessToken | null, course: Course): Promise<Exchange> {
    const { operationId, purpose } = call;
    const dressed = tokens.dress(call, token);
    const attempt = async (): Promise<Exchange> => {
      const shut = breaker.openFor(operationId);
      if (shut !== null) throw new NotSent(shut);
      if (!isForToken(call)) breaker.asked();
      const exchange = await sendWatched(dressed, course.attempts.at(-1));
      if (!isForToken(call) && exchange.response !== null) breaker.heard();
      course.attempts.push(exchange);
      const isSlow = hasHung(exchange, ['first-byte-timeout', 'call-timeout']);
      hung.set(`${operationId} ${purpose}`, isSlow ? timesHung(operationId, purpose) + 1 : 0);
      const asked = asksToWait(exchange) ? retryAfter(exchange) : null;
      if (asked !== null) heldUntil.set(operationId, clock() + asked);
      return exchange;
    };
    // Calls that provoke our own client are sent exactly as often as the check states.
    const retries = purpose === 'provoke-client' ? 0 : limits.retries;
    /** A target that limits the rate answers at a slower one. */
    const retriesAfter = (last: Exchange): number =>
      retries + (egress.rate !== null && last.response?.status === 429 ? MORE_BY_REQUEST : 0);
    const { exchange, gaveUp } = await sendWithRetries(attempt, {
      // A second removal of the run's own record has the same effect as the first.
      isRepeatable: call.effect === 'read' || (purpose === 'clean-up' && IDEMPOTENT.includes(call.method)),
      doubtsAbsence: call.effect === 'read' && purpose === 'succeed',
      limits: { ...limits, retries },
      random,
      signal,
      wait: (milliseconds) => wait(milliseconds, signal),
      isWorthIt: (last, retry) =>
        retry <= retriesAfter(last) && !isLoginPage(call, last) && timesHung(operationId, purpose) < MOST_HUNG,
    });
    if (gaveUp !== undefined) course.gaveUp = gaveUp;
    return exchange;
  }

  async function token(): Promise<AccessToken> {
    try {
      return await tokens.get();
    } catch (error) {
      if (error instanceof NotSent) throw error;
      const why = `no token: ${error instanceof Error ? error.message : 'unknown trouble'}`;
      // Requests without a token may show why.
      if (tokens.isLost) throw new NotSent(why);
      breaker.trip(why);
      throw new NotSent(breaker.open ?? '');
    }
  }

  /** Why calls of an operation are no longer sent; null if they are. */
  function stopped(operationId: string): string | null {
    return way.signal.aborted ? INTERRUPTED : breaker.openFor(operationId);
  }

  /** Why a call is not sent now. First waits if an earlier answer of the operation asked for it. */
  async function heldBack({ checkId, operationId, purpose }: CallRequest): Promise<string | null> {
    const most = Math.max(timesHung(operationId, 'succeed'), timesHung(operationId, purpose));
    // Calls outside a check confirm the silence at the end of the run.
    if (checkId !== null && most >= MOST_HUNG && stopped(operationId) === null) {
      return `${operationId} gave no whole answer in time ${most} times in a row and is not asked again`;
    }
    const left = Math.max(0, (heldUntil.get(operationId) ?? 0) - clock());
    const gaveUp = left === 0 ? null : await wait(left, signal);
    return stopped(operationId) ?? (gaveUp && `${operationId} asked to wait; ${gaveUp}`);
  }

  /** Makes the attempts of a call. Returns why nothing (more) was sent, or null if the last attempt is the result. */
  async function attempt(request: CallRequest, course: Course): Promise<string | null> {
    try {
      const { auth } = request;
      const first = auth === 'token' || isForgery(auth) ? await token() : null;
      const { response } = await send(request, first, course);
      if (auth === 'token' && first !== null && response?.status === 401) {
        tokens.invalidate(first);
        const renewed = await token();
        // Some servers return the same token until it expires. It would be rejected again.
        if (renewed.value !== first.value) await send(request, renewed, course);
      }
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      return stopped(request.operationId) ?? error.message;
    }
    if (way.signal.aborted) return INTERRUPTED;
    return course.attempts.at(-1)?.failure?.kind === 'aborted' ? breaker.open : null;
  }

  return async (request) => {
    const course: Course = { attempts: [] };
    const notSent = (await heldBack(request)) ?? (await attempt(request, course));
    const { checkId, operationId, purpose, auth, parameters } = request;
    const call: Call = { checkId, operationId, purpose, auth, parameters, notSent, ...course };
    const last = course.attempts.at(-1);
    if (last !== undefined && !isForToken(request) && !isLoginPage(request, last)) {
      breaker.note(operationId, ...healthOf(call));
    }
    way.onCall(call);
    return call;
  };
}

/** The token endpoint says nothing about the rest of the target. */
function isForToken({ auth }: CallRequest): boolean {
  return auth === 'client' || auth === 'wrong-client';
}

/** A page in place of a rejection may be a login. It says nothing about the service, and comes again. */
function isLoginPage({ purpose }: CallRequest, last: Exchange): boolean {
  return purpose === 'refuse-token' && is2xx(last.response?.status ?? 0) && contentOf(last).kind === 'html';
}

const EVERYTHING = ' to everything';

function healthOf(call: Call): [health: CallHealth, why: string] {
  const last = call.attempts.at(-1);
  if (last?.response == null || last.failure !== null)
    return ['bad', `fails: ${last?.failure?.message ?? 'no answer'}`];
  const { status } = last.response;
  if (is2xx(status)) {
    if (isGood(call) && !isUnreadable(last)) return ['good', ''];
    return isBeyondLimits(contentOf(last)) ? ['alive', ''] : ['bad', 'sends nothing that can be read'];
  }
  if (asksToWait(last)) return ['busy', answersToWait(call, EVERYTHING)];
  if (status >= 500) return ['bad', `answers ${status}${EVERYTHING}`];
  return status === 401 && call.purpose === 'succeed' && call.auth === 'token'
    ? ['unauthorised', 'accepts no token']
    : ['alive', ''];
}
