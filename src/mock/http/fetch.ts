import { type Answer, BODILESS, type FlatHeaders, withHeaders } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { MockLimits } from '../message/limits.ts';
import { fault } from '../message/problem.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { bodyTooLarge, expectationFailed, type Head, headersTooLarge, judgeFraming, toCall } from './read-request.ts';
import type { Via } from './recorder.ts';

export interface FetchOptions {
  readonly limits: MockLimits;
  /** Base URL for a path without a host. */
  readonly url: string;
  readonly serve: (call: ReceivedRequest, via: Via) => Answer | Promise<Answer>;
  /** Header fields that let a page read an answer not made by `serve`. */
  readonly readable: (request: Head) => FlatHeaders;
  readonly interrupt: Pipeline['interrupt'];
  readonly isClosed: () => boolean;
}

/**
 * The `fetch` of a mock. A request is read as by the HTTP server, and then handled the same way.
 * Each call counts as its own connection, because `fetch` does not reveal which calls would share a connection.
 */
export async function answerFetch(
  { limits, url, serve, readable, interrupt, isClosed }: FetchOptions,
  input: Request | URL | string,
  init: RequestInit | undefined,
): Promise<Response> {
  const request = new Request(input instanceof Request ? input : new URL(input, url), init);
  request.signal.throwIfAborted();
  const bytes = await readBytes(request, limits.bodyBytes);
  if (isClosed()) throw new TypeError('fetch failed', { cause: new Error('the mock was closed') });
  const body = typeof bytes === 'number' ? null : bytes;
  const head = headOf(request, body);
  const early = refuse(head, limits) ?? (typeof bytes === 'number' ? bodyTooLarge(limits) : undefined);
  const call = early ?? toCall(head, body);
  // node:http rejects large header fields before the server could add anything
  if ('status' in call) return toResponse(call.status === 431 ? call : withHeaders(call, readable(head)), request);
  const interruption = await interrupt(call);
  const answer = answered(serve, { ...call, interruption }, request, head);
  return toResponse(await unlessAborted(request.signal, answer), request);
}

async function answered(
  serve: FetchOptions['serve'],
  call: ReceivedRequest,
  request: Request,
  head: Head,
): Promise<Answer> {
  try {
    return await serve(call, { socket: request, url: head.url });
  } catch (error) {
    return fault(error);
  }
}

/** The bytes of a body, null without a body, or the size so far if it exceeds `most`. */
async function readBytes(request: Request, most: number): Promise<Buffer | number | null> {
  if (!request.body) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // leaving the loop cancels the stream
    if (size > most) return size;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function headOf(request: Request, body: Buffer | null): Head {
  const { pathname, search, host } = new URL(request.url);
  const headers: Record<string, string> = { host };
  for (const [name, value] of request.headers) headers[name] = value;
  headers.accept ??= '*/*';
  if (body) headers['content-length'] ??= String(body.length);
  return {
    method: request.method,
    url: pathname + search,
    httpVersion: '1.1',
    headers,
    rawHeaders: Object.entries(headers).flat(),
  };
}

function refuse(head: Head, limits: MockLimits): Answer | undefined {
  const size = head.rawHeaders.reduce((sum, text) => sum + text.length + 2, (head.url ?? '').length);
  if (size > limits.headerBytes) return headersTooLarge();
  const { expect } = head.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return expectationFailed();
  return judgeFraming(head, limits);
}

function unlessAborted<T>(signal: AbortSignal, given: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    given.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function toResponse(answer: Answer, { method, signal }: Request): Response {
  const headers = new Headers();
  for (let index = 0; index + 1 < answer.headers.length; index += 2) {
    headers.append(String(answer.headers[index]), String(answer.headers[index + 1]));
  }
  const { status, wire } = answer;
  const bytes = new Uint8Array(answer.body ?? []);
  const body = wire ? wire.read(bytes).pipeThrough(new TransformStream(), { signal }) : bytes;
  const bare = method === 'HEAD' || BODILESS.has(status) || (!answer.body && !wire);
  return new Response(bare ? null : body, { status, headers });
}
