import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import type { Upstream } from '../egress/connect.ts';
import { type Failure, failureOf } from '../egress/failure.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { codeOf } from '../net/response.ts';
import type { BodyCopy } from './body-copies.ts';
import { announcesBody, linesOf, type RawHeaders, requestHeaders, responseHeaders, withMissing } from './headers.ts';

export interface RelayJob {
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
  /** True if an answer must not be passed on, because the caller gets a different one. */
  readonly withhold?: ((status: number) => boolean) | undefined;
  readonly mark?: readonly string[];
}

export interface ResponseHead {
  readonly status: number;
  readonly rawHeaders: RawHeaders;
}

export interface RelayOutcome {
  /** Missing if there is no answer. Then nothing was sent to the caller yet. */
  readonly head?: ResponseHead;
  /** Whether the whole body arrived. */
  readonly complete?: boolean;
  /** The caller closed its connection before the end of the answer. */
  readonly delivered?: false;
  readonly isWithheld?: true;
  readonly failure?: Failure;
}

/** Methods that may be retried if a kept connection turns out to be closed (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const NO_BYTES = Buffer.alloc(0);

/** Relays one exchange byte for byte and copies the bodies. Never rejects. */
export function relay(job: RelayJob): Promise<RelayOutcome> {
  return new Promise((resolve) => attempt(job, false, resolve));
}

function attempt(job: RelayJob, fresh: boolean, resolve: (outcome: RelayOutcome) => void): void {
  const { request, response, upstream } = job;
  let outgoing: ClientRequest;
  try {
    const method = request.method ?? 'GET';
    const headers = requestHeaders(method, withMissing(request.rawHeaders, job.ownFields ?? []), upstream.host);
    outgoing = upstream.open({ method, target: job.target, headers }, fresh);
  } catch (error) {
    resolve({ failure: upstream.failureFrom(error) });
    return;
  }
  let settled = false;
  let head: ResponseHead | undefined;
  let late: Failure | undefined;
  let answering: NodeJS.Timeout | undefined;

  const leave = (): void => {
    settled = true;
    clearTimeout(answering);
    response.off('close', gone);
  };
  const settle = (outcome: RelayOutcome): void => {
    if (settled) return;
    leave();
    resolve(outcome);
  };
  const gone = (): void => {
    if (response.writableFinished) return;
    outgoing.destroy();
    settle(head === undefined ? { failure: failureOf('aborted') } : { head, delivered: false });
  };
  response.on('close', gone);
  if (response.destroyed) gone();

  outgoing.once('finish', () => {
    if (head !== undefined) return;
    answering = setTimeout(() => {
      late = failureOf('first-byte-timeout');
      outgoing.destroy();
    }, job.firstByte);
  });
  outgoing.on('error', (error) => {
    if (settled || head !== undefined) return;
    if (outgoing.reusedSocket && late === undefined && !fresh && isRepeatable(request)) {
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
    if (head === undefined) settle({ failure: late ?? failureOf('reset') });
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
    head = { status: incoming.statusCode ?? 502, rawHeaders: incoming.rawHeaders };
    pass(job, incoming, head, settle);
  });
  send(job, outgoing);
}

function send({ request, requestBody, requestCopy }: RelayJob, outgoing: ClientRequest): void {
  if (!announcesBody(request)) {
    outgoing.end();
    return;
  }
  const end = (): void => {
    const trailers = linesOf(request.rawTrailers);
    if (trailers.length > 0) outgoing.addTrailers(trailers);
    outgoing.end();
  };
  if (requestBody !== undefined) {
    requestCopy.add(requestBody);
    outgoing.write(requestBody);
    end();
    return;
  }
  request.on('data', (chunk: Buffer) => requestCopy.add(chunk));
  if (request.headers.expect === undefined) headFirst(request, outgoing);
  request.pipe(outgoing, { end: false });
  request.once('end', end);
}

function pass(
  job: RelayJob,
  incoming: IncomingMessage,
  head: ResponseHead,
  settle: (outcome: RelayOutcome) => void,
): void {
  const { request, response, responseCopy } = job;
  const withheld = job.withhold?.(head.status) === true;
  incoming.on('data', (chunk: Buffer) => responseCopy.add(chunk));
  incoming.on('error', () => {});
  if (withheld) {
    incoming.on('close', () => settle({ head, complete: incoming.complete, isWithheld: true }));
    return;
  }
  const bodiless = isBodiless(request, head.status);
  try {
    response.sendDate = false;
    response.writeHead(head.status, incoming.statusMessage, [
      ...responseHeaders(head.rawHeaders, !bodiless && request.httpVersion !== '1.0'),
      ...(job.mark ?? []),
    ]);
  } catch (error) {
    incoming.destroy();
    settle({ failure: failureOf('malformed', codeOf(error)) });
    return;
  }
  if (!bodiless) headFirst(incoming, response);
  response.once('finish', () => settle({ head, complete: true }));
  incoming.pipe(response, { end: false });
  incoming.on('close', () => {
    if (incoming.complete) return;
    // The caller must notice that the answer was cut off, because a short answer could look complete.
    settle({ head });
    response.destroy();
  });
  incoming.once('end', () => {
    if (!incoming.complete) return;
    const trailers = linesOf(incoming.rawTrailers);
    if (trailers.length > 0) response.addTrailers(trailers);
    response.end();
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

export function isBodiless({ method }: IncomingMessage, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

function isRepeatable(request: IncomingMessage): boolean {
  return REPEATABLE.has(request.method ?? '') && !announcesBody(request);
}
