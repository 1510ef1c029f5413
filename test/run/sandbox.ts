import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type LoopbackServer, serveOnLoopback } from '../support/loopback.ts';

/** A request that a sandbox received. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly userAgent: string;
  readonly accept: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends an answer and returns true, or leaves the request to the sandbox. */
export type Fault = (request: Seen, response: ServerResponse, count: number) => boolean | undefined;

export interface SandboxOptions {
  /** Called first; true if it has answered or deliberately leaves the request unanswered. */
  readonly fault?: Fault;
  /** Bodies of good answers by `METHOD path`. */
  readonly bodies?: Readonly<Record<string, unknown>>;
  /** Changes the token response. */
  readonly token?: (response: Record<string, unknown>) => unknown;
  readonly credentials?: { readonly username: string; readonly password: string };
}

/**
 * A stand-in for a bank's sandbox on loopback: the documented paths, configurable faults, and a list of received
 * requests.
 */
export interface Sandbox extends LoopbackServer {
  readonly seen: readonly Seen[];
  readonly tokens: readonly string[];
}

export const CREDENTIALS = { username: 'tenant-7', password: 'pässword: planted-SECRET/+%' };
export const PARAMETERS = {
  customerId: 'c-1',
  clientId: 'cl-2',
  userId: 'u-3',
  cardId: 'k-4',
  currency: 'GBP',
};

export const CARD = {
  id: 'k-4',
  cardProgramme: 'p',
  cardDesign: 'd',
  cardLimitDaily: 100,
  cardLimitMonthly: 1000,
  cardLimitTransaction: 50,
  token: 'PLANTED-card-token-4711',
};
const FEES = { fees: [{ name: 'issue', amount: 1.5 }] };

const BODIES: Readonly<Record<string, unknown>> = {
  'GET /billing/api/customers/c-1/client/cl-2/card/fees/GBP': FEES,
  'GET /billing/api/customers/c-1/client/cl-2/account/fees/GBP': FEES,
  'POST /billing/api/customers/c-1/clients/cl-2/transactions/fees': FEES,
  'GET /iam/api/customers/c-1/client/cl-2/card/fees/GBP': FEES,
  'GET /wallet/api/customers/c-1/client/cl-2/account/fees/GBP': FEES,
  'GET /wallet/api/customers/c-1/clients/cl-2/transactions/fees': FEES,
  'GET /wallet/api/customers/c-1/cards/k-4': CARD,
  'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards: [CARD, { ...CARD, token: undefined }] },
  'POST /wallet/api/customers/c-1/cards': CARD,
};

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const seen: Seen[] = [];
  const tokens: string[] = [];
  const bodies = { ...BODIES, ...options.bodies };
  const { username, password } = options.credentials ?? CREDENTIALS;
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

  const server = await serveOnLoopback(({ method, path, headers, body }, response) => {
    const what: Seen = {
      method,
      path,
      authorization: headers.authorization ?? '',
      userAgent: headers['user-agent'] ?? '',
      accept: headers.accept ?? '',
      body,
      headers,
    };
    seen.push(what);
    if (options.fault?.(what, response, seen.length) === true) return true;
    if (what.path === '/iam/oauth/token') {
      const good = what.authorization === basic && body === 'grant_type=client_credentials';
      if (!good) return json(response, what.authorization === basic ? 400 : 401, { error: 'invalid_client' });
      const token = `${encode({ alg: 'HS256' })}.${encode({ n: tokens.length, exp: 1 })}.PLANTEDsignature`;
      tokens.push(token);
      const issued = {
        access_token: token,
        expires_in: 3599,
        jti: `j${tokens.length}`,
        scope: '',
        token_type: 'Bearer',
      };
      return json(response, 200, options.token?.(issued) ?? issued);
    }
    if (!tokens.includes(what.authorization.replace('Bearer ', ''))) return json(response, 401, { error: 'token' });
    const answer = bodies[`${what.method} ${what.path}`];
    if (answer === undefined) return json(response, 404, { error: 'no such thing' });
    return json(response, 200, answer);
  });
  return { ...server, seen, tokens };
}

/** Answers in JSON; true, as a fault is that has answered. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
  return true;
}

/** Answers with HTML, like a gateway in front of the API. */
export function html(response: ServerResponse, status: number): true {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end('<!doctype html><html><body>Maintenance</body></html>');
  return true;
}

let squeezed: Buffer | undefined;

/** Megabytes of zeros, compressed to a few bytes. */
export function bomb(response: ServerResponse): true {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  squeezed ??= gzipSync(Buffer.alloc(64 * 1024 * 1024));
  response.end(squeezed);
  return true;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
