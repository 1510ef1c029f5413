import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback.ts';

export interface CompanyProxy extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Received requests: `CONNECT bank.test:443`, `GET http://bank.test/`. */
  readonly asked: readonly string[];
}

/** A typical company proxy: resolves every name to loopback, and requires Basic credentials if some are configured. */
export async function startCompanyProxy({
  credentials,
  refuse,
}: {
  credentials?: string;
  refuse?: number;
} = {}): Promise<CompanyProxy> {
  const asked: string[] = [];
  const statusFor = ({ headers }: IncomingMessage): number | undefined => {
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    return wanted !== undefined && headers['proxy-authorization'] !== wanted ? 407 : refuse;
  };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const status = statusFor(request);
    if (status !== undefined) return void response.writeHead(status).end();
    const { pathname, search, port } = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const upstream = forward(
      { host: '127.0.0.1', port, method: request.method, path: pathname + search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  server.on('connect', (request, socket: Socket, head) => {
    asked.push(`CONNECT ${request.url}`);
    socket.on('error', () => socket.destroy());
    const status = statusFor(request);
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} no\r\ncontent-length: 0\r\n\r\n`);
    const upstream = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    upstream.on('close', () => socket.destroy());
  });
  const { port, ...listening } = await listenOnLoopback(server);
  return { ...listening, host: `127.0.0.1:${port}`, asked };
}
