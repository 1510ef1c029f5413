import { once } from 'node:events';
import type { OutgoingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ToolError } from '../errors.ts';

// not imported: an import reads every member, WebSocket included. That loads undici, a tenth of a mock's start time
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');

export const createServer: typeof http.createServer = http.createServer;

/** Milliseconds for exchanges in flight to end when a server closes. */
const GRACE = 1_500;

/** Listens on a port. Throws `ToolError` `port-busy` or `usage`, with the fix. */
export async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, host);
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw listenError(cause, port, host);
  });
  return server.address() as AddressInfo;
}

function listenError(cause: NodeJS.ErrnoException, port: number, host: string): ToolError {
  if (cause.code === 'EADDRINUSE') {
    const hint = 'Choose another with --port, or 0 for any that is free.';
    return new ToolError('port-busy', `Port ${port} of ${host} is busy.`, { hint, cause });
  }
  const hint =
    cause.code === 'EACCES'
      ? 'Ports below 1024 need rights that you may not have.'
      : 'Choose an address of this machine.';
  const why = cause.code ?? cause.message;
  return new ToolError('usage', `Cannot listen on port ${port} of ${host} (${why}).`, { hint, cause });
}

export function close(server: Server, grace: number = GRACE): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}

/** Largest body, in bytes, that is copied to save a call. */
const SMALL = 16 * 1024;

/** Ends a message. Node sends a string in one call with the head, a fifth faster for a small body; latin1 keeps all bytes. */
export function endWithBytes(message: OutgoingMessage, bytes: Buffer | null): void {
  if (bytes === null) message.end();
  else if (bytes.length <= SMALL) message.end(bytes.toString('latin1'), 'latin1');
  else message.end(bytes);
}

/** The address for clients on this machine. A wildcard address cannot be called. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Writes an answer to a socket without a response object, and closes it. */
export function endRaw(
  socket: Duplex,
  answer: { readonly status: number; readonly headers: readonly string[]; readonly body: Uint8Array | null },
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = [`HTTP/1.1 ${answer.status} ${http.STATUS_CODES[answer.status] ?? ''}`];
  for (let index = 0; index < answer.headers.length; index += 2) {
    lines.push(`${answer.headers[index]}: ${answer.headers[index + 1]}`);
  }
  lines.push('connection: close', '', '');
  socket.write(lines.join('\r\n'));
  socket.end(answer.body ?? undefined, () => socket.destroy());
}
