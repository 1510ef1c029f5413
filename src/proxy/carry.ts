import type { IncomingMessage } from 'node:http';
import type { Ended } from '../egress/recorder.ts';
import { type ExchangeRequest, fieldsOf, header } from '../model/exchange.ts';
import type { BodyCopy } from './body-copies.ts';
import { proxyProblem, sendProblem } from './problem.ts';
import { isBodiless, type RelayJob, relay } from './relay.ts';

type Carried = Omit<Ended, 'operationId'> & { readonly isWithheld: boolean };

/** Carries a request to the target or the mock. Without an answer, it sends a problem. */
export async function carry(
  given: Omit<RelayJob, 'requestCopy' | 'responseCopy'>,
  capture: () => BodyCopy,
): Promise<Carried> {
  const job = { ...given, requestCopy: capture(), responseCopy: capture() };
  const { head, complete = false, delivered, isWithheld = false, failure = null } = await relay(job);
  const request = { ...requestOf(job.request, job.target), body: job.requestCopy.bytes() };
  let response: Ended['response'] = null;
  if (head !== undefined) {
    const { status, rawHeaders } = head;
    const headers = fieldsOf([...rawHeaders, ...(job.mark ?? [])]);
    const encoding = isBodiless(job.request, status) ? undefined : header(headers, 'content-encoding');
    const body = await job.responseCopy.body(complete, encoding);
    response = { status, headers, body, ...(delivered === false && { delivered }) };
  }
  job.responseCopy.release();
  job.requestCopy.release();
  if (failure !== null) {
    const kind = failure.kind.endsWith('timeout') ? 'target-too-slow' : 'target-unreachable';
    const status = kind === 'target-too-slow' ? 504 : 502;
    sendProblem(job.request, job.response, proxyProblem(status, kind, failure.message));
  }
  return { request, response, failure, isWithheld };
}

export function requestOf({ method = 'GET', rawHeaders }: IncomingMessage, target: string): ExchangeRequest {
  return { method, target, headers: fieldsOf(rawHeaders), body: null };
}
