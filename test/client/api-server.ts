import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Arrived, type LoopbackServer, serveOnLoopback } from '../support/loopback.ts';

export interface Seen extends Arrived {
  /** The bearer token of the request. */
  readonly token: string | undefined;
}

export type Answer = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void;

/** An API and its token endpoint on loopback: accepts the last issued token until `revoke`. */
export class ApiServer {
  readonly seen: Seen[] = [];
  tokenRequests = 0;
  /** The answer of the token endpoint; by default token-1, token-2, … */
  token: Answer = (_, response) => {
    this.valid = `token-${this.tokenRequests}`;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: this.valid, token_type: 'bearer', expires_in: 3600 }));
  };
  /** The answer of the API; by default 401 for any token except the valid one, else an echo of the body. */
  api: Answer = (seen, response) => {
    if (seen.token !== this.valid) {
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end('not accepted');
    } else response.end(`${seen.method} ${seen.body}`);
  };
  valid = '';
  url = '';
  #server: LoopbackServer | undefined;

  async listen(): Promise<this> {
    this.#server = await serveOnLoopback((...request) => this.#answer(...request));
    this.url = this.#server.url;
    return this;
  }

  async close(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }

  /** Revokes all tokens until the next one is issued. */
  revoke(): void {
    this.valid = 'none';
  }

  #answer(arrived: Arrived, response: ServerResponse, request: IncomingMessage): void {
    const seen: Seen = { ...arrived, token: /^Bearer (.*)$/.exec(arrived.headers.authorization ?? '')?.[1] };
    if (seen.path === '/iam/oauth/token') {
      this.tokenRequests += 1;
      this.token(seen, response, request);
    } else {
      this.seen.push(seen);
      this.api(seen, response, request);
    }
  }
}
