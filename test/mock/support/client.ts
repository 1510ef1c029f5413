import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Mock } from '../../../src/mock/mock.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** The body as JSON; throws if it is not JSON. */
  json(): Record<string, unknown>;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

/** Sends a request unchanged: no client normalises its path, header fields or body. */
export function send(mock: Pick<Mock, 'port'>, sent: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(sent.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(sent.body)) }),
      ...sent.headers,
    };
    const outgoing = request(
      { port: mock.port, host: '127.0.0.1', method: sent.method ?? 'GET', path: sent.path, headers, agent },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            rawHeaders: incoming.rawHeaders,
            text,
            json: () => JSON.parse(text) as Record<string, unknown>,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

export const FORM = 'application/x-www-form-urlencoded';

/** A token request; by default the documented one. */
export function askToken(mock: Pick<Mock, 'port' | 'credentials'>, changes: Partial<Sent> = {}): Promise<Reply> {
  return send(mock, {
    method: 'POST',
    path: '/iam/oauth/token',
    body: 'grant_type=client_credentials',
    ...changes,
    headers: {
      authorization: basic(mock.credentials.username, mock.credentials.password),
      'content-type': FORM,
      ...changes.headers,
    },
  });
}

/** The `Authorization` field of a fresh token. */
export async function bearer(mock: Pick<Mock, 'port' | 'credentials'>): Promise<string> {
  const { access_token: token } = (await askToken(mock)).json();
  return `Bearer ${String(token)}`;
}
