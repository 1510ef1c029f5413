import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answer } from './answer.ts';
import { problem } from './problem.ts';

/** What Node's parser says of bytes that are no request, and what is answered to them (rules M2, S22, S25). */
export function answerTo(error: Error & { readonly code?: string }): Answer {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem(431, 'headers-too-large', 'the request line and header fields are too large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem(413, 'body-too-large', 'the chunk extensions are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem(408, 'request-timeout', 'the request did not arrive in time');
    default:
      return problem(400, 'bad-request', 'the bytes are no HTTP/1.1 request');
  }
}

/** Writes an answer on a socket that has no response object, and closes it. */
export function endRaw(socket: Duplex, answer: Answer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`];
  for (let index = 0; index < answer.headers.length; index += 2) {
    lines.push(`${answer.headers[index]}: ${answer.headers[index + 1]}`);
  }
  lines.push('connection: close', '', '');
  socket.write(lines.join('\r\n'));
  socket.end(answer.body ?? undefined, () => socket.destroy());
}
