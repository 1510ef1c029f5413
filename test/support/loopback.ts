import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as received. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LoopbackServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** Listens on a free port of loopback. Disposing of it closes all open connections. */
export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A closed port of loopback. */
export async function freePort(): Promise<number> {
  await using server = await listenOnLoopback(createServer());
  return server.port;
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
  return listenOnLoopback(server);
}
