import type { IncomingMessage } from 'node:http';
import type { Reached } from '../contract/paths.ts';
import { failureOf } from '../egress/failure.ts';
import type { Ended } from '../egress/recorder.ts';
import { fieldsOf, header } from '../model/exchange.ts';
import type { BodyCopy } from './body-copies.ts';
import { type ProxyProblem, proxyProblem, sendProblem } from './problem.ts';
import { isBodiless, type RelayJob, type RelayOutcome, relay } from './relay.ts';

/** Carries a request to the target or the mock, and returns the exchange. Without an answer, it sends a problem. */
export async function carry(
  given: Omit<RelayJob, 'requestCopy' | 'responseCopy'>,
  capture: () => BodyCopy,
  reached: Reached | null,
): Promise<{ readonly outcome: RelayOutcome; readonly ended: Ended }> {
  const job = { ...given, requestCopy: capture(), responseCopy: capture() };
  const outcome = await relay(job);
  const ended = await endOf(job, outcome, reached);
  job.responseCopy.release();
  job.requestCopy.release();
  if (outcome.kind === 'failed') sendProblem(job.request, job.response, unanswered(outcome));
  return { outcome, ended };
}

export function aboutRequest(
  { method = 'GET', rawHeaders }: IncomingMessage,
  target: string,
  reached: Reached | null,
): Pick<Ended, 'operationId' | 'request'> {
  const request = { method, target, headers: fieldsOf(rawHeaders), body: null };
  return { operationId: reached?.operation.operationId ?? null, request };
}

async function endOf(job: RelayJob, outcome: RelayOutcome, reached: Reached | null): Promise<Ended> {
  const { requestCopy, responseCopy, mark = [] } = job;
  const { operationId, request } = aboutRequest(job.request, job.target, reached);
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

function unanswered({ failure }: Extract<RelayOutcome, { kind: 'failed' }>): ProxyProblem {
  return failure.kind.endsWith('timeout')
    ? proxyProblem(504, 'target-too-slow', failure.message)
    : proxyProblem(502, 'target-unreachable', failure.message);
}
