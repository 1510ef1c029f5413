import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reached } from '../contract/paths.ts';
import type { Upstream } from '../egress/connect.ts';
import { failureOf } from '../egress/failure.ts';
import { createRecorder, type Ended } from '../egress/recorder.ts';
import { type Exchange, fieldsOf, type HeaderFields, header } from '../model/exchange.ts';
import { numberConnections } from '../net/connections.ts';
import type { EffectsGate } from './admission.ts';
import type { BodyCopy } from './body-copies.ts';
import type { MissingMock } from './mock-missing.ts';
import type { ProxyEvent } from './options.ts';
import { PROXY_HEADER, type ProxyProblem, problem, sendProblem } from './problem.ts';
import { isBodiless, type RelayJob, type RelayOutcome, relay } from './relay.ts';

export interface ProxyHandlerOptions {
  /** The path and query of a request that is let in, or what is wrong with it. */
  readonly enter: (request: IncomingMessage) => string | ProxyProblem;
  readonly gate: EffectsGate;
  readonly upstream: Upstream;
  /** Milliseconds from the end of a request to the head of its answer. */
  readonly firstByte: number;
  /** Field lines that the target demands of every request to a path, where the caller does not send them. */
  readonly ownFields: (path: string) => HeaderFields;
  readonly missing: MissingMock | null;
  readonly clock: () => number;
  /** Number of the exchange before the first; there are never more connections than exchanges. */
  readonly numberAfter: number | undefined;
  readonly capture: () => BodyCopy;
  /** How to allow what the gate holds back. */
  readonly howToAllow: string;
  readonly locate: (method: string, target: string) => Reached | null;
  /** Takes what passed between the proxy and the target, to be judged. */
  readonly judge: (exchange: Exchange, reached: Reached | null) => void;
  readonly tell: (exchange: Exchange) => void;
  readonly event: (event: ProxyEvent) => void;
}

export type ProxyHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Takes one request of the caller through: door, gate, target (or the mock instead), and tells what passed. Never rejects for what others do. */
export function createProxyHandler(options: ProxyHandlerOptions): ProxyHandler {
  const { gate, missing } = options;
  const record = createRecorder(options.clock, options.numberAfter);
  const connectionOf = numberConnections(options.numberAfter);

  return async (request, response) => {
    // The end of the response tells when either side has gone.
    request.on('error', () => {});
    response.on('error', () => {});
    const target = options.enter(request);
    if (typeof target !== 'string') {
      sendProblem(request, response, target);
      return;
    }
    const method = request.method ?? 'GET';
    const path = target.split('?', 1)[0] ?? '';
    const end = record(connectionOf(request.socket));
    const reached = options.locate(method, target);

    /** Carries it to the target or the mock, and tells the caller where there is no answer. */
    const carry = async (
      reached: Reached | null,
      how: Pick<RelayJob, 'upstream' | 'ownFields' | 'requestBody' | 'withhold' | 'mark'>,
    ): Promise<Relayed> => {
      const job = {
        request,
        response,
        target,
        firstByte: options.firstByte,
        requestCopy: options.capture(),
        responseCopy: options.capture(),
        ...how,
      };
      const outcome = await relay(job);
      const ended = await endOf(job, outcome, reached);
      job.responseCopy.release();
      job.requestCopy.release();
      if (outcome.kind === 'failed') sendProblem(request, response, unanswered(outcome));
      return { outcome, exchange: end(ended) };
    };

    const mock = async ({ upstream }: MissingMock, reached: Reached): Promise<void> => {
      const { exchange } = await carry(reached, { upstream, mark: MOCKED });
      options.event({ kind: 'mocked', method, path, operationId: reached.operation.operationId });
      options.tell(exchange);
    };

    const instead = reached === null ? missing?.locate(method, target) : undefined;
    if (missing && instead) {
      await mock(missing, instead);
      return;
    }

    const admission = await gate.admit(request, response, target, reached);
    const { refusal } = admission;
    if (refusal !== null) {
      const wrong = problem(403, 'not-allowed', `${refusal}. ${options.howToAllow}`);
      sendProblem(request, response, wrong);
      options.event({ kind: 'refused', method, path, reason: refusal });
      const { status, headers, body } = wrong;
      const answer = { status, headers: fieldsOf(headers), body: { bytes: body, state: 'complete' } } as const;
      options.tell(end({ ...about(request, target, reached), response: answer, failure: null }));
      return;
    }

    const withhold = reached === null ? undefined : missing?.withholds(reached, request);
    const { outcome, exchange } = await carry(reached, {
      upstream: options.upstream,
      ownFields: options.ownFields(path),
      requestBody: admission.requestBody,
      withhold,
    });
    if (outcome.kind === 'failed') {
      options.event({ kind: 'unanswered', method, path, reason: outcome.failure.message });
    }
    if (outcome.kind === 'withheld' && missing && reached) await mock(missing, reached);
    else options.tell(exchange);
    options.judge(exchange, reached);
  };
}

interface Relayed {
  readonly outcome: RelayOutcome;
  readonly exchange: Exchange;
}

/** What is known of a request before it is answered. */
function about(
  { method = 'GET', rawHeaders }: IncomingMessage,
  target: string,
  reached: Reached | null,
): Pick<Ended, 'operationId' | 'request'> {
  const request = { method, target, headers: fieldsOf(rawHeaders), body: null };
  return { operationId: reached?.operation.operationId ?? null, request };
}

/** What one request came to, with the copies of what passed by. */
async function endOf(job: RelayJob, outcome: RelayOutcome, reached: Reached | null): Promise<Ended> {
  const { requestCopy, responseCopy, mark = [] } = job;
  const { operationId, request } = about(job.request, job.target, reached);
  const ended = { operationId, request: { ...request, body: requestCopy.bytes() }, response: null, failure: null };
  if (outcome.kind === 'failed') return { ...ended, failure: outcome.failure };
  if (outcome.kind === 'aborted') return { ...ended, failure: failureOf('aborted') };
  const { status, rawHeaders } = outcome.head;
  const encoding = header(fieldsOf(rawHeaders), 'content-encoding');
  const body = await responseCopy.body(outcome.complete, isBodiless(job.request, status) ? undefined : encoding);
  const delivered = outcome.kind === 'answered' && outcome.delivered;
  const headers = fieldsOf([...rawHeaders, ...mark]);
  return { ...ended, response: { status, headers, body, ...(delivered === false && { delivered }) } };
}

const MOCKED = [PROXY_HEADER, 'mock'] as const;

function unanswered({ failure }: Extract<RelayOutcome, { kind: 'failed' }>): ProxyProblem {
  return failure.kind.endsWith('timeout')
    ? problem(504, 'target-too-slow', failure.message)
    : problem(502, 'target-unreachable', failure.message);
}
