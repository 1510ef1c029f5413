import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, header } from '../http/exchange.ts';
import { fieldsOf } from '../mock/call.ts';
import { type Budget, bodyOf, createCapture } from './capture.ts';
import type { Entrance } from './door.ts';
import type { Ended, Recorder, Started } from './exchanges.ts';
import type { Gate } from './gate.ts';
import type { MissingMock } from './missing.ts';
import type { ProxyEvent } from './options.ts';
import type { Spot } from './places.ts';
import { PROXY_HEADER, type Problem, problem, sendProblem } from './problem.ts';
import { type Outcome, relay } from './relay.ts';
import type { Upstream } from './upstream.ts';

export interface HandlerOptions {
  readonly enter: (request: IncomingMessage) => Entrance | Problem;
  readonly gate: Gate;
  readonly upstream: Upstream;
  readonly missing: MissingMock | null;
  readonly recorder: Recorder;
  readonly budget: Budget;
  /** Bytes. */
  readonly bodyLimit: number;
  /** How to allow what the gate holds back. */
  readonly howToAllow: string;
  spotOf(method: string, target: string): Spot | null;
  /** Takes what passed between the proxy and the target, to be judged. */
  readonly judge: (exchange: Exchange, spot: Spot | null) => void;
  /** Takes what the caller saw. */
  readonly tell: (exchange: Exchange) => void;
  readonly event: (event: ProxyEvent) => void;
}

/** Takes one request of the caller through: door, gate, target (or the mock instead), and tells what passed. Never rejects for what others do. */
export function createHandler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { recorder, gate, missing } = options;

  return async (request, response) => {
    // Whoever goes away is seen by the response's end.
    request.on('error', () => {});
    response.on('error', () => {});
    const entrance = options.enter(request);
    if ('status' in entrance) {
      sendProblem(request, response, entrance);
      return;
    }
    const { target } = entrance;
    const method = request.method ?? 'GET';
    const path = target.split('?', 1)[0] ?? '';
    const started = recorder.start(request);
    const spot = options.spotOf(method, target);

    const instead = spot === null ? missing?.spotOf(method, target) : undefined;
    if (missing && instead) {
      const mocked = await carry(request, response, missing.upstream, target, instead, started, { mark: MOCKED });
      options.event({ kind: 'mocked', method, path, operationId: instead.operation.operationId });
      if (mocked.outcome.kind === 'failed') sendProblem(request, response, unanswered(mocked.outcome));
      options.tell(mocked.exchange);
      return;
    }

    const refusal = gate.refusalOf(request, target, spot);
    if (refusal !== null) {
      const wrong = problem(403, 'not-allowed', `${refusal}. ${options.howToAllow}`);
      sendProblem(request, response, wrong);
      options.event({ kind: 'refused', method, path, reason: refusal });
      options.tell(refused(request, target, spot, started, wrong));
      return;
    }

    const withhold = missing && spot !== null ? missing.withholds(spot, request) : undefined;
    const passed = await carry(request, response, options.upstream, target, spot, started, { withhold });
    const { outcome, exchange } = passed;
    if (outcome.kind === 'failed') {
      sendProblem(request, response, unanswered(outcome));
      options.event({ kind: 'unanswered', method, path, reason: outcome.failure.message });
    }
    if (outcome.kind === 'withheld' && missing && spot) {
      const mocked = await carry(request, response, missing.upstream, target, spot, started, { mark: MOCKED });
      options.event({ kind: 'mocked', method, path, operationId: spot.operation.operationId });
      if (mocked.outcome.kind === 'failed') sendProblem(request, response, unanswered(mocked.outcome));
      options.tell(mocked.exchange);
    } else options.tell(exchange);
    options.judge(exchange, spot);
  };

  async function carry(
    request: IncomingMessage,
    response: ServerResponse,
    upstream: Upstream,
    target: string,
    spot: Spot | null,
    started: Started,
    how: { readonly withhold?: ((status: number) => boolean) | undefined; readonly mark?: readonly string[] },
  ): Promise<{ readonly outcome: Outcome; readonly exchange: Exchange }> {
    const requestCopy = createCapture(options.bodyLimit, options.budget);
    const responseCopy = createCapture(options.bodyLimit, options.budget);
    const { withhold, mark } = how;
    const outcome = await relay({
      request,
      response,
      upstream,
      target,
      requestCopy,
      responseCopy,
      ...(withhold === undefined ? {} : { withhold }),
      ...(mark === undefined ? {} : { mark }),
    });
    const ended: Omit<Ended, 'response' | 'failure'> = {
      request,
      target,
      operationId: spot?.operation.operationId ?? null,
      requestBody: requestCopy.bytes(),
    };
    if (outcome.kind === 'failed' || outcome.kind === 'aborted') {
      responseCopy.release();
      requestCopy.release();
      const failure =
        outcome.kind === 'failed' ? outcome.failure : ({ kind: 'aborted', message: 'the caller went away' } as const);
      return { outcome, exchange: recorder.end(started, { ...ended, response: null, failure }) };
    }
    const { head, complete } = outcome;
    const encoding = header(fieldsOf(head.rawHeaders), 'content-encoding');
    const bodiless = request.method === 'HEAD' || head.status === 204 || head.status === 304;
    const body = await bodyOf(responseCopy, complete, bodiless ? undefined : encoding, options.bodyLimit);
    responseCopy.release();
    requestCopy.release();
    const rawHeaders = [...head.rawHeaders, ...(mark ?? [])];
    return {
      outcome,
      exchange: recorder.end(started, { ...ended, response: { status: head.status, rawHeaders, body }, failure: null }),
    };
  }

  function refused(
    request: IncomingMessage,
    target: string,
    spot: Spot | null,
    started: Started,
    wrong: Problem,
  ): Exchange {
    return recorder.end(started, {
      request,
      target,
      operationId: spot?.operation.operationId ?? null,
      requestBody: null,
      response: { status: wrong.status, rawHeaders: wrong.headers, body: { bytes: wrong.body, state: 'complete' } },
      failure: null,
    });
  }
}

const MOCKED = [PROXY_HEADER, 'mock'] as const;

function unanswered({ failure }: Extract<Outcome, { kind: 'failed' }>): Problem {
  return failure.kind.endsWith('timeout')
    ? problem(504, 'target-too-slow', failure.message)
    : problem(502, 'target-unreachable', failure.message);
}
