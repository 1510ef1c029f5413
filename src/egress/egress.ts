import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { tool } from '../files/tool.ts';
import type { Call, CallRequest } from '../model/call.ts';
import {
  type Exchange,
  type ExchangeResponse,
  fieldsOf,
  type HeaderFields,
  header,
  type TransportFailure,
} from '../model/exchange.ts';
import { contentOf, limitOf, weightOf } from '../model/media.ts';
import { reasonText } from '../model/reason.ts';
import { DIRECT, type Network } from '../net/network.ts';
import { ACCEPT_ENCODING, readBody } from '../net/response.ts';
import type { Limits, Timeouts } from '../net/settings.ts';
import type { Breaker } from './breaker.ts';
import { createUpstream, type Upstream } from './connect.ts';
import { failureOf } from './failure.ts';
import { createPace } from './pace.ts';
import type { Policy } from './policy.ts';
import { createEgressRecorder } from './recorder.ts';
import type { Wait } from './retry.ts';

export class NotSent extends Error {
  override readonly name: string = 'NotSent';
}

export interface OutgoingRequest extends Omit<CallRequest, 'checkId' | 'effect' | 'auth' | 'parameters'> {
  /** Until the end of the answer, if that is less than the limit of a call. */
  readonly seconds?: number;
  /** The attempt that this one repeats. */
  readonly repeated?: Exchange | undefined;
}

export interface EgressOptions {
  /** `https://host[:port][/prefix]`, without a trailing slash. */
  readonly baseUrl: string;
  readonly policy: Policy;
  readonly timeouts: Timeouts;
  readonly limits: Limits;
  /** Direct by default. */
  readonly network?: Network | undefined;
  /** Field lines that the target requires in addition to an operation's own. */
  readonly ownFields?: ((operationId: string) => HeaderFields) | undefined;
  /** Query members that the target requires in addition to an operation's own, as `name=value`. */
  readonly ownQuery?: ((operationId: string) => readonly string[]) | undefined;
  /** The operation that issues tokens, perhaps at another base URL. */
  readonly token: { readonly operationId: string; readonly baseUrl: string };
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onExchange?: ((exchange: Exchange, repeated?: Exchange) => void) | undefined;
  readonly numberAfter?: number | undefined;
}

/** The connection to the target that all parts of a run share. */
export interface Way extends Pick<EgressOptions, 'timeouts' | 'limits' | 'clock' | 'signal'> {
  readonly egress: Egress;
  readonly breaker: Breaker;
  /** Waits as long as the target asks, within the total that a run may wait. */
  readonly wait: Wait;
  readonly random: () => number;
  readonly onCall: (call: Call) => void;
}

/** Bytes that all answers of a run may have in total, except small ones. */
const HELD_TOGETHER = 24 * 1024 * 1024;
const SMALL = 16 * 1024;
const TOO_MUCH = 'is too large: the answers in progress may total 24 MiB';

export type Egress = ReturnType<typeof createEgress>;

/** Creates the connections of a run. Nothing is connected before the first request. */
export function createEgress(options: EgressOptions) {
  const { baseUrl, token, timeouts, limits, policy, network = DIRECT } = options;
  const toTarget = createUpstream(baseUrl, timeouts.connect, network);
  const toToken = token.baseUrl === baseUrl ? toTarget : createUpstream(token.baseUrl, timeouts.connect, network);
  const record = createEgressRecorder(options.clock, options.numberAfter);
  const running = new Set<Promise<void>>();
  const pace = createPace({
    perSecond: limits.perSecond,
    now: () => performance.now(),
    sleep: (milliseconds) => sleep(milliseconds, undefined, { signal: options.signal }).catch(() => {}),
  });
  let sent = 0;
  let held = 0;

  /** The exchange, without its body if the body cannot be judged or exceeds the total. */
  function holdable(exchange: Exchange): Exchange {
    const { response } = exchange;
    if (response === null || response.body.bytes.length <= SMALL) return exchange;
    const weight = weightOf(exchange);
    // The body is not parsed if it exceeds the total.
    const limit = held + weight > HELD_TOGETHER ? TOO_MUCH : limitOf(contentOf(exchange), exchange);
    if (limit !== null) {
      return { ...exchange, response: { ...response, body: { bytes: new Uint8Array(), state: 'too-large', limit } } };
    }
    held += weight;
    return exchange;
  }

  async function open(request: OutgoingRequest, signal: AbortSignal | undefined): Promise<Exchange> {
    const { operationId, method, body } = request;
    const own = options.ownFields?.(operationId) ?? [];
    const headers: HeaderFields = [
      ['user-agent', `${tool.name}/${tool.version}`],
      ['accept-encoding', ACCEPT_ENCODING],
      ...own,
      ...request.headers.filter(([name]) => !own.some(([added]) => added === name.toLowerCase())),
    ];
    const target = withQuery(request.target, options.ownQuery?.(operationId) ?? []);
    const refusal = policy.refuse({ ...request, target, headers });
    if (refusal !== null) throw new NotSent(reasonText(refusal));
    if (options.signal.aborted) throw new NotSent('the run was interrupted');
    if (sent >= limits.requests) throw new NotSent(`the run's budget of ${limits.requests} requests is used up`);
    sent += 1;
    const end = record(null);
    const upstream = operationId === token.operationId ? toToken : toTarget;
    const outcome = await attempt(upstream, { ...request, target, headers }, signal);
    const ended = end({ operationId, request: { method, target, headers, body }, ...outcome });
    options.onExchange?.(ended, request.repeated);
    return holdable(ended);
  }

  async function attempt(
    upstream: Upstream,
    { method, target, headers, body: sent, seconds = timeouts.call }: OutgoingRequest,
    given: AbortSignal | undefined,
  ): Promise<Pick<Exchange, 'response' | 'failure'>> {
    const timer = new AbortController();
    const expireAfter = (limit: number, kind: TransportFailure): NodeJS.Timeout =>
      setTimeout(() => timer.abort(kind), limit * 1000);
    const firstByte = expireAfter(timeouts.firstByte, 'first-byte-timeout');
    const whole = expireAfter(Math.min(seconds, timeouts.call), 'call-timeout');
    const signal = AbortSignal.any([timer.signal, options.signal, given ?? []].flat());
    let status: Omit<ExchangeResponse, 'body'> | null = null;
    try {
      const lines = [...headers, ['host', upstream.host], ...framingOf(method, sent)].flat();
      const answer = await answerTo(upstream.open({ method, target, headers: lines, signal }).end(sent ?? undefined));
      clearTimeout(firstByte);
      const refused = upstream.refusal(answer.statusCode ?? 0);
      if (refused !== null) {
        answer.destroy();
        return { response: null, failure: refused };
      }
      status = { status: answer.statusCode ?? 0, headers: fieldsOf(answer.rawHeaders) };
      const body = await readBody(answer, header(status.headers, 'content-encoding'), limits.bodyBytes);
      if (body.state === 'too-large') answer.destroy();
      signal.throwIfAborted();
      return { response: { ...status, body }, failure: null };
    } catch (error) {
      const failure = signal.aborted ? failureOf(timer.signal.reason ?? 'aborted') : upstream.failureFrom(error);
      if (status === null || failure.kind !== 'call-timeout') return { response: null, failure };
      // The head arrived but the body never ended: a truncated answer, not a silent target.
      return { response: { ...status, body: { bytes: new Uint8Array(), state: 'truncated' } }, failure };
    } finally {
      clearTimeout(firstByte);
      clearTimeout(whole);
    }
  }

  return {
    /** Requests per second that the target accepts; null if it does not limit them. */
    get rate(): number | null {
      return pace.found;
    },
    /**
     * Sends one request once and returns the exchange. Never throws for failures of the target.
     *
     * @throws NotSent if the policy, the budget or the end of the run prevents the request
     */
    async send(request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange> {
      while (running.size >= limits.concurrency) await Promise.race(running);
      const { promise, resolve } = Promise.withResolvers<void>();
      running.add(promise);
      try {
        const begun = await pace.turn();
        const exchange = await open(request, signal);
        if (exchange.response !== null) pace.note(request.operationId, exchange.response.status, begun);
        return exchange;
      } finally {
        running.delete(promise);
        resolve();
      }
    },
    async close(): Promise<void> {
      toTarget.close();
      toToken.close();
    },
  };
}

/** Adds only the members that the target does not have. They are percent-encoded, as `name=value`. */
export function withQuery(target: string, members: readonly string[]): string {
  const there = new URLSearchParams(target.split('?')[1]);
  const missing = members.filter((member) => !there.has([...new URLSearchParams(member).keys()][0] ?? ''));
  return missing.length === 0 ? target : `${target}${target.includes('?') ? '&' : '?'}${missing.join('&')}`;
}

/** Field lines for the length of a request body, if its method allows a body (RFC 9110, 8.6). */
function framingOf(method: string, body: Uint8Array | null): HeaderFields {
  if (body === null && !['POST', 'PUT', 'PATCH'].includes(method)) return [];
  return [['content-length', String(body?.length ?? 0)]];
}

async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const closed = once(request, 'close').then(() => Promise.reject(new Error('closed without an answer')));
  closed.catch(() => {});
  request.on('error', () => {});
  const [answer] = (await Promise.race([once(request, 'response'), closed])) as [IncomingMessage];
  return answer.on('error', () => {});
}
