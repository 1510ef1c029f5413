import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import type { Upstream } from '../egress/connect.ts';
import { type Failure, failureOf } from '../egress/failure.ts';
import type { Ended } from '../egress/recorder.ts';
import { type ExchangeRequest, fieldsOf, type HeaderFields, header } from '../model/exchange.ts';
import { codeOf } from '../net/response.ts';
import { endWithBytes } from '../net/serving.ts';
import type { BodyCopy } from './body-copies.ts';
import { announcesBody, linesOf, requestHeaders, responseHeaders } from './headers.ts';
import { proxyProblem, sendProblem } from './problem.ts';

interface RelayJob {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** Milliseconds from the end of the request to the head of the answer. */
  readonly firstByte: number;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly ownFields?: HeaderFields;
  /** The request's body if it was already read; otherwise it is streamed. */
  readonly requestBody?: Uint8Array | undefined;
  readonly requestCopy: BodyCopy;
  readonly responseCopy: BodyCopy;
  /** Statuses of answers that are not passed on, because the caller gets a different one. */
  readonly withheld?: ReadonlySet<number> | undefined;
  readonly mark?: readonly string[];
}

interface Outcome {
  /** Missing if there is no answer. Then nothing was sent to the caller yet. */
  readonly answer?: IncomingMessage;
  /** The caller closed its connection before the end of the answer. */
  readonly delivered?: false;
  readonly isWithheld?: boolean;
  readonly failure?: Failure;
}

/** Methods that may be retried if a kept connection turns out to be closed (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const NO_BYTES = Buffer.alloc(0);

type Carried = Omit<Ended, 'operationId'> & { readonly isWithheld: boolean };

/** Relays one exchange byte for byte and copies the bodies. Sends a problem if there is no answer. Never rejects. */
export async function carry(
  given: Omit<RelayJob, 'requestCopy' | 'responseCopy'>,
  capture: () => BodyCopy,
): Promise<Carried> {
  const job = { ...given, requestCopy: capture(), responseCopy: capture() };
  const outcome = await new Promise<Outcome>((resolve) => attempt(job, false, resolve));
  const { answer, delivered, isWithheld = false, failure = null } = outcome;
  // Part of a body could look like a mistake of the caller.
  const request = {
    ...requestOf(job.request, job.target),
    body: job.request.complete ? job.requestCopy.bytes() : null,
  };
  let response: Ended['response'] = null;
  if (answer !== undefined) {
    const { statusCode: status = 502 } = answer;
    const headers = fieldsOf([...answer.rawHeaders, ...(job.mark ?? [])]);
    const encoding = isBodiless(job.request, status) ? undefined : header(headers, 'content-encoding');
    const body = await job.responseCopy.body(answer.complete, encoding);
    response = { status, headers, body, ...(delivered === false && { delivered }) };
  }
  job.responseCopy.release();
  job.requestCopy.release();
  if (failure !== null) {
    const isLate = failure.kind.endsWith('timeout');
    const kind = isLate ? 'target-too-slow' : 'target-unreachable';
    sendProblem(job.request, job.response, proxyProblem(isLate ? 504 : 502, kind, failure.message));
  }
  return { request, response, failure, isWithheld };
}

export function requestOf({ method = 'GET', rawHeaders }: IncomingMessage, target: string): ExchangeRequest {
  return { method, target, headers: fieldsOf(rawHeaders), body: null };
}

function attempt(job: RelayJob, fresh: boolean, resolve: (outcome: Outcome) => void): void {
  const { request, response, upstream } = job;
  let outgoing: ClientRequest;
  try {
    const method = request.method ?? 'GET';
    const headers = requestHeaders(request, upstream.host, job.ownFields ?? []);
    outgoing = upstream.open({ method, target: job.target, headers }, fresh);
  } catch (error) {
    resolve({ failure: upstream.failureFrom(error) });
    return;
  }
  let settled = false;
  let answer: IncomingMessage | undefined;
  let late: Failure | undefined;
  let answering: NodeJS.Timeout | undefined;

  const leave = (): void => {
    settled = true;
    clearTimeout(answering);
    response.off('close', gone);
  };
  const settle = (outcome: Outcome): void => {
    if (settled) return;
    leave();
    resolve(outcome);
  };
  const gone = (): void => {
    if (response.writableFinished) return;
    outgoing.destroy();
    settle(answer === undefined ? { failure: failureOf('aborted') } : { answer, delivered: false });
  };
  response.on('close', gone);
  if (response.destroyed) gone();

  outgoing.once('finish', () => {
    if (answer !== undefined) return;
    answering = setTimeout(() => {
      late = failureOf('first-byte-timeout');
      outgoing.destroy();
    }, job.firstByte);
  });
  outgoing.on('error', (error) => {
    if (settled || answer !== undefined) return;
    const isRepeatable = REPEATABLE.has(request.method ?? '') && !announcesBody(request);
    if (outgoing.reusedSocket && late === undefined && !fresh && isRepeatable) {
      // The target had just closed a kept connection. Nothing was lost except the attempt (RFC 9112, 9.3.1).
      leave();
      attempt(job, true, resolve);
      return;
    }
    settle({ failure: late ?? upstream.failureFrom(error) });
  });
  outgoing.on('close', () => {
    // Discards the rest of the request. Unread bytes would block the caller's connection.
    request.unpipe(outgoing);
    request.resume();
    if (answer === undefined) settle({ failure: late ?? failureOf('reset') });
  });
  outgoing.on('continue', () => {
    if (request.headers.expect !== undefined && !response.headersSent) response.writeContinue();
  });
  outgoing.on('information', (info) => {
    if (info.statusCode === 103 && !response.headersSent) hint(response, info.headers);
  });
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy();
    settle({ failure: failureOf('malformed') });
  });
  outgoing.on('response', (incoming) => {
    clearTimeout(answering);
    const refused = upstream.refusal(incoming.statusCode ?? 502);
    if (refused !== null) {
      settle({ failure: refused });
      incoming.destroy();
      return;
    }
    answer = incoming;
    incoming.on('error', () => {});
    // The target has answered before the end of the request. Node would not continue to send after that.
    incoming.once('end', () => outgoing.writableFinished || outgoing.destroy());
    afterTurn(() => pass(job, incoming, settle));
  });
  afterTurn(() => {
    if (!outgoing.destroyed) send(job, outgoing);
  });
}

/**
 * What one turn of the event loop received is passed on after it. The first write wakes the receiver, which costs more
 * than the write; for the others it is still awake.
 */
function afterTurn(pass: () => void): void {
  setImmediate(pass);
}

/** Also reports a message that closed before. */
function whenClosed(message: IncomingMessage, report: () => void): void {
  if (message.closed) report();
  else message.on('close', report);
}

function send({ request, requestBody, requestCopy }: RelayJob, outgoing: ClientRequest): void {
  if (!announcesBody(request)) {
    outgoing.end();
    return;
  }
  if (requestBody !== undefined) {
    requestCopy.add(requestBody);
    outgoing.write(requestBody);
    endWith(request, outgoing);
    return;
  }
  if (request.headers.expect === undefined) headFirst(request, outgoing);
  stream(request, outgoing, requestCopy);
}

/** Passes a body on with its trailers, and copies it. An incomplete body does not end the message. */
function stream(body: IncomingMessage, message: OutgoingMessage, copy: BodyCopy): void {
  body.on('data', (chunk: Buffer) => copy.add(chunk));
  body.pipe(message, { end: false });
  body.once('end', () => body.complete && endWith(body, message));
}

/** Passes on a body that has already arrived as a whole. That takes less than a stream. */
function passWhole(body: IncomingMessage, message: OutgoingMessage, copy: BodyCopy): void {
  const bytes = body.read() as Buffer | null;
  if (bytes !== null) copy.add(bytes);
  endWith(body, message, bytes);
}

function endWith({ rawTrailers }: IncomingMessage, message: OutgoingMessage, rest: Buffer | null = null): void {
  if (rawTrailers.length > 0) message.addTrailers(linesOf(rawTrailers));
  endWithBytes(message, rest);
}

function pass(job: RelayJob, answer: IncomingMessage, settle: (outcome: Outcome) => void): void {
  const { request, response, responseCopy } = job;
  const { statusCode: status = 502 } = answer;
  if (job.withheld?.has(status)) {
    answer.on('data', (chunk: Buffer) => responseCopy.add(chunk));
    whenClosed(answer, () => settle({ answer, isWithheld: true }));
    return;
  }
  const bodiless = isBodiless(request, status);
  try {
    response.sendDate = false;
    response.writeHead(status, answer.statusMessage, [
      ...responseHeaders(answer, !bodiless && request.httpVersion !== '1.0'),
      ...(job.mark ?? []),
    ]);
  } catch (error) {
    answer.destroy();
    settle({ failure: failureOf('malformed', codeOf(error)) });
    return;
  }
  response.once('finish', () => settle({ answer }));
  if (answer.complete) {
    passWhole(answer, response, responseCopy);
    return;
  }
  if (!bodiless) headFirst(answer, response);
  stream(answer, response, responseCopy);
  whenClosed(answer, () => {
    if (answer.complete) return;
    // The caller must notice that the answer was cut off, because a short answer could look complete.
    settle({ answer });
    response.destroy();
  });
}

/** Passes on an early hint. If Node rejects it, it is dropped. */
function hint(response: ServerResponse, headers: IncomingHttpHeaders): void {
  try {
    response.writeEarlyHints(headers as Record<string, string | string[]>);
  } catch {
    // the actual answer still follows
  }
}

/** Sends the head alone if its body is slow. Otherwise both are sent together. */
function headFirst(body: IncomingMessage, message: OutgoingMessage): void {
  let begun = false;
  body.once('data', () => {
    begun = true;
  });
  setImmediate(() => {
    if (!begun && !message.writableEnded && !message.destroyed) message.write(NO_BYTES);
  });
}

function isBodiless({ method }: IncomingMessage, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}
