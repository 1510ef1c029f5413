import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { hostName, isLoopback } from '../../net/host.ts';
import type { DevTokens } from './dev-tokens.ts';

/** Fields of one connection (RFC 9110, 7.6.1), which HTTP/2 does not allow. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|upgrade)$/i;

/**
 * Sends a request to the mock as it is, and its answer back. The `Host` stays, so the mock checks it, too. If the mock
 * ends the connection, so does this.
 */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  to: string,
  path: string,
  tokens?: DevTokens,
): Promise<void> {
  const token = await tokens?.current();
  if (response.destroyed) return;
  const sent = send(to, { method: request.method ?? 'GET', path, headers: headersOf(request, token) });
  sent.on('response', (answer) => {
    const { statusCode = 502, rawHeaders } = answer;
    if (statusCode === 401 && token !== undefined) tokens?.refused(token);
    response.statusCode = statusCode;
    // one by one, because middleware that compresses answers misreads a list
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
      if (!OF_CONNECTION.test(name)) response.appendHeader(name, value);
    }
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  response.on('close', () => sent.destroy());
  request.pipe(sent);
}

/** The fields of a request in HTTP/1.1. With HTTP/2, which Vite uses for https, the host is in a field of its own. */
function headersOf(request: IncomingMessage, token: string | undefined): string[] {
  const { rawHeaders, headers } = request;
  const plain = rawHeaders.filter((_, at) => !rawHeaders[at - (at % 2)]?.startsWith(':'));
  if (headers.host === undefined) plain.push('host', hostOf(request));
  if (token !== undefined) plain.push('authorization', `Bearer ${token}`);
  return plain;
}

function hostOf({ headers }: IncomingMessage): string {
  return headers.host ?? String(headers[':authority'] ?? '');
}

/** Whether a program of this machine sent it, and no other proxy forwarded it. */
export function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  return isLoopback(from) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

/** Whether a page of the dev server sent it, opened on this machine by a loopback name. Pages cannot forge the fields. */
export function isOwnPage(request: IncomingMessage): boolean {
  const { origin = '', 'sec-fetch-site': site } = request.headers;
  const host = hostOf(request);
  const isOwn = origin === '' || origin.replace(/^https?:\/\//, '') === host;
  return isFromHere(request) && isLoopback(hostName(host) ?? '') && site === 'same-origin' && isOwn;
}
