import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolError } from '../errors.ts';
import { endRaw, problem, sendProblem } from './problem.ts';

/** Milliseconds that exchanges in flight have to end when the server closes. */
const GRACE = 1_500;

/** The proxy's own HTTP server. It limits heads, not bodies: those are the target's business. */
export interface Front {
  listen(port: number, host: string): Promise<AddressInfo>;
  close(): Promise<void>;
}

export function createFront(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Front {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => {
      sendProblem(request, response, problem(500, 'fault', 'the proxy failed; please report it with what led to this'));
    });
  };
  const server = createServer(
    {
      maxHeaderSize: 64 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 0,
      keepAliveTimeout: 5_000,
      requireHostHeader: false,
      noDelay: true,
    },
    serve,
  );
  // the target decides: its 100 is passed on, and so is its refusal
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  server.on('connect', (_request, socket) => {
    endRaw(socket, problem(405, 'bad-request', 'it stands in front of one target and opens no tunnels'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    endRaw(socket, problem(status, 'bad-request', 'the bytes are no HTTP/1.1 request that can be passed on'));
  });
  return {
    listen: (port, host) => listen(server, port, host),
    close: () => close(server),
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, port, host)));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve(server.address() as AddressInfo);
    });
  });
}

function listenError(cause: NodeJS.ErrnoException, port: number, host: string): ToolError {
  if (cause.code === 'EADDRINUSE') {
    const hint = 'Choose another with --port, or 0 for any that is free.';
    return new ToolError('port-busy', `Port ${port} of ${host} is busy.`, { hint, cause });
  }
  const hint = 'Choose an address of this machine, and a port from 1024 on.';
  return new ToolError('usage', `Cannot listen on port ${port} of ${host} (${cause.code ?? 'unknown'}).`, {
    hint,
    cause,
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), GRACE);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
