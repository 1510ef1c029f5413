import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { hostName, isLoopback } from '../../net/host.ts';
import type { DevTokens } from './dev-tokens.ts';

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
  const added = token === undefined ? [] : ['authorization', `Bearer ${token}`];
  if (response.destroyed) return;
  const sent = send(to, { method: request.method ?? 'GET', path, headers: [...request.rawHeaders, ...added] });
  sent.on('response', (answer) => {
    const { statusCode = 502, statusMessage, rawHeaders } = answer;
    if (statusCode === 401 && token !== undefined) tokens?.refused(token);
    response.statusCode = statusCode;
    response.statusMessage = statusMessage ?? '';
    // one by one, because middleware that compresses answers misreads a list
    for (let at = 0; at < rawHeaders.length; at += 2)
      response.appendHeader(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  response.on('close', () => sent.destroy());
  request.pipe(sent);
}

/** Whether a program of this machine sent it, and no other proxy forwarded it. */
export function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  return isLoopback(from) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

/** Whether a page of the dev server sent it, opened on this machine by a loopback name. Pages cannot forge the fields. */
export function isOwnPage(request: IncomingMessage): boolean {
  const { host = '', origin = '', 'sec-fetch-site': site } = request.headers;
  const isOwn = origin === '' || origin.replace(/^https?:\/\//, '') === host;
  return isFromHere(request) && isLoopback(hostName(host) ?? '') && site === 'same-origin' && isOwn;
}
