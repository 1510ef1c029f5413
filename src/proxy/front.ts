import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { endRaw } from '../net/serving.ts';
import { problem, sendProblem } from './problem.ts';

/** The proxy's own HTTP server. It limits heads, not bodies: those are the target's business. */
export function createFront(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Server {
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
  return server;
}
