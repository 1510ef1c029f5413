import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The bearer token it carried. */
  readonly token: string | undefined;
}

export type Answer = (seen: Seen, response: http.ServerResponse, request: http.IncomingMessage) => void;

/** An API with its token endpoint, on loopback: takes the last token that it issued until `revoke`. */
export class ApiServer {
  readonly seen: Seen[] = [];
  tokenRequests = 0;
  /** What the token endpoint answers; by default token-1, token-2, … */
  token: Answer = (_, response) => {
    this.valid = `token-${this.tokenRequests}`;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: this.valid, token_type: 'bearer', expires_in: 3600 }));
  };
  /** What the API answers; by default 401 for any but the valid token, else an echo of the body. */
  api: Answer = (seen, response) => {
    if (seen.token !== this.valid) {
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end('not accepted');
    } else response.end(`${seen.method} ${seen.body}`);
  };
  valid = '';
  url = '';
  readonly #server: http.Server;

  constructor() {
    this.#server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => {});
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.#answer(request, response, Buffer.concat(chunks).toString()));
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** No token is valid any more, until the next is issued. */
  revoke(): void {
    this.valid = 'none';
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
    const { method = '', url: path = '', headers } = request;
    const seen: Seen = { method, path, headers, body, token: /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] };
    if (path === '/iam/oauth/token') {
      this.tokenRequests += 1;
      this.token(seen, response, request);
    } else {
      this.seen.push(seen);
      this.api(seen, response, request);
    }
  }
}
