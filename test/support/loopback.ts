import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as received. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LoopbackServer extends AsyncDisposable {
  readonly url: string;
}

/** Listens on a free loopback port, and passes on each complete request. Disposing closes open connections. */
export async function serveOnLoopback(
  answer: (arrived: Arrived, response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<LoopbackServer> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    try {
      const body = (await buffer(request)).toString();
      await answer({ method, path, headers, body }, response, request);
    } catch (error) {
      // a client that left during its body cannot be answered
      if (!request.errored) throw error;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
