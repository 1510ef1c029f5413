import type { IncomingMessage } from 'node:http';
import type { Answer } from '../message/answer.ts';
import { countField, type ReceivedRequest } from '../message/call.ts';
import type { MockLimits } from '../message/limits.ts';
import { problem } from '../message/problem.ts';

export type Head = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'headers' | 'rawHeaders'>;

/** A body this many times larger than the limit is not read to its end. */
const DISCARDED = 64;
/** Milliseconds in which the first part of a body arrives, unless the sender waits. */
const SOON = 100;

/** Checks the framing of a request, before its content. Undefined if it is well-formed and within the limits. */
export function judgeFraming(request: Head, limits: MockLimits): Answer | undefined {
  const hosts = countField(request.rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) {
    return problem('bad-request', 'a request has one Host field (RFC 9112, 3.2)');
  }
  const target = request.url ?? '';
  if (target.length > limits.targetBytes) {
    return problem('target-too-long', `the request target is longer than ${limits.targetBytes} bytes`);
  }
  return undefined;
}

export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

export type BodyRead = { readonly bytes: Buffer } | { readonly tooLarge: true; readonly cut: boolean };

/** Reads a body up to the limit. Discards the rest, up to `DISCARDED` limits, so that the caller sees the refusal. */
export function receiveBody(request: IncomingMessage, limits: MockLimits, done: (read: BodyRead) => void): void {
  const most = limits.bodyBytes;
  if (Number(request.headers['content-length']) > most * DISCARDED) {
    done({ tooLarge: true, cut: true });
    return;
  }
  let chunks: Buffer[] = [];
  let size = 0;
  let given = false;
  const give = (read: BodyRead): void => {
    // an abandoned body may still end, when Node drains it after the answer
    if (!given) done(read);
    given = true;
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks = [];
    if (size > most * DISCARDED) {
      request.pause();
      give({ tooLarge: true, cut: true });
    }
  });
  request.on('end', () => {
    if (size > most) give({ tooLarge: true, cut: false });
    else give({ bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size) });
  });
}

export function headersTooLarge(): Answer {
  return problem('headers-too-large', 'the request line and header fields are too large');
}

export function expectationFailed(): Answer {
  return problem('expectation-failed', 'the only expectation that is met is 100-continue');
}

export function bodyTooLarge(limits: MockLimits): Answer {
  return problem('body-too-large', `a body has at most ${limits.bodyBytes} bytes`);
}

/** The part of a body that arrives soon after its head, at most one chunk. */
export function readPart(request: IncomingMessage, done: (read: BodyRead) => void): void {
  const give = (bytes = Buffer.alloc(0)): void => {
    clearTimeout(timer);
    request.off('data', give).pause();
    done({ bytes });
  };
  const timer = setTimeout(give, SOON);
  request.once('data', give);
}

export function toCall(request: Head, body: Buffer | null = null): ReceivedRequest | Answer {
  const target = splitTarget(request.url ?? '');
  if (!target) return problem('bad-target', 'the request target is neither a path nor an absolute address');
  return {
    method: request.method ?? 'GET',
    path: target.path,
    query: target.query,
    authority: target.authority ?? request.headers.host,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body: body && body.length > 0 ? body : null,
  };
}

/** Parses the origin form, absolute form and `*` of a request target (RFC 9112, 3.2). */
function splitTarget(target: string): { path: string; query: string; authority?: string } | null {
  if (target === '*') return { path: '*', query: '' };
  if (target.startsWith('/')) return splitPath(target);
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target);
  if (!absolute) return null;
  const [, authority = '', rest = ''] = absolute;
  return { ...splitPath(rest.startsWith('/') ? rest : `/${rest}`), authority };
}

function splitPath(target: string): { path: string; query: string } {
  const hash = target.indexOf('#');
  const whole = hash === -1 ? target : target.slice(0, hash);
  const cut = whole.indexOf('?');
  return cut === -1 ? { path: whole, query: '' } : { path: whole.slice(0, cut), query: whole.slice(cut + 1) };
}
