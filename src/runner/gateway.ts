import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUTHS, type Auth, type Call, finalAttempt, PURPOSES, type Purpose } from '../drift/call.ts';
import type { Exchange, HeaderFields } from '../http/exchange.ts';
import type { Contract } from '../spec/contract.ts';
import { createReach } from '../spec/match.ts';
import type { Caller, CallRequest } from './caller.ts';
import { standInFor } from './stand-in.ts';
import { type AttemptView, RUN_HEADERS } from './suite.ts';

/** What of an embedded mock the suite may turn. */
export interface MockControls {
  revokeAll(): void;
  expireAll(): void;
  refuseNext(count: number): void;
  /** All records are again those of the seed: no check sees what another one did. */
  reset(): Promise<void>;
  readonly requests: number;
}

export interface GatewayOptions {
  readonly contract: Contract;
  readonly caller: Caller;
  /** All calls so far. */
  readonly calls: () => readonly Call[];
  readonly mock: MockControls | null;
}

/** The loopback server that the suite talks to instead of the target. It knows the run's key, never a credential. */
export interface Gateway {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

/** Request header fields of the suite that go on to the target. */
const FORWARDED = ['accept', 'content-type'];
const CONTROL = '/__run/';
const LARGEST_REQUEST = 1024 * 1024;

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const key = randomBytes(24).toString('base64url');
  const pseudonymKey = randomBytes(16);
  const reach = createReach(options.contract.operations);

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(error instanceof Error ? error.message : 'unknown trouble');
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!sameText(String(request.headers[RUN_HEADERS.key] ?? ''), key)) {
      response.writeHead(403).end();
      return;
    }
    const body = await read(request);
    const target = request.url ?? '/';
    if (target.startsWith(CONTROL)) {
      const answer = await control(target.slice(CONTROL.length), body);
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? null));
      return;
    }
    const wanted = parse(request, target, body);
    if (wanted === null) {
      response.writeHead(400).end();
      return;
    }
    answer(response, await options.caller.call(wanted));
  }

  function parse(request: IncomingMessage, target: string, body: Uint8Array | null): CallRequest | null {
    const field = (name: string): string => String(request.headers[name] ?? '');
    const operation = options.contract.operation(field(RUN_HEADERS.operation));
    const purpose = PURPOSES.find((word) => word === field(RUN_HEADERS.purpose)) as Purpose | undefined;
    const auth = AUTHS.find((word) => word === field(RUN_HEADERS.auth)) as Auth | undefined;
    if (operation?.path == null || purpose === undefined || auth === undefined) return null;
    const headers: HeaderFields = FORWARDED.flatMap((name): HeaderFields => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    return {
      checkId: field(RUN_HEADERS.check) || null,
      operationId: operation.operationId,
      effect: operation.effect,
      purpose,
      auth,
      method: request.method ?? 'GET',
      target,
      headers,
      body,
      parameters: reach(target)?.find((one) => one.operation === operation)?.pathParameters ?? {},
    };
  }

  function answer(response: ServerResponse, call: Call): void {
    const run: Record<string, string> = {
      [RUN_HEADERS.call]: String(call.number),
      [RUN_HEADERS.attempts]: call.attempts.map((attempt) => attempt.seq).join(','),
    };
    const last = finalAttempt(call);
    if (call.notSent !== null || last?.response == null) {
      const why = call.notSent ?? last?.failure?.message ?? 'no answer';
      response.writeHead(502, { ...run, [RUN_HEADERS.notSent]: encodeURIComponent(why) }).end();
      return;
    }
    const type = last.response.headers.find(([name]) => name === 'content-type')?.[1];
    const status = last.response.status >= 200 && last.response.status <= 599 ? last.response.status : 599;
    response.writeHead(status, { ...run, ...(type === undefined ? {} : { 'content-type': printable(type) }) });
    response.end(withoutToken(last));
  }

  async function control(path: string, body: Uint8Array | null): Promise<unknown> {
    const [command, argument = ''] = path.split('/', 2);
    if (command === 'attempts') return attemptsOf(decodeURIComponent(argument));
    if (command !== 'mock' || options.mock === null) return undefined;
    if (argument === 'reset') await options.mock.reset();
    else if (argument === 'revoke') options.mock.revokeAll();
    else if (argument === 'expire') options.mock.expireAll();
    else if (argument === 'refuse') options.mock.refuseNext(Number(Buffer.from(body ?? []).toString() || '1'));
    else if (argument !== 'state') return undefined;
    return { requests: options.mock.requests };
  }

  function attemptsOf(checkId: string): AttemptView[] {
    return options
      .calls()
      .filter((call) => call.checkId === checkId)
      .flatMap((call) => call.attempts.map((attempt) => view(call.number, attempt)));
  }

  function view(call: number, exchange: Exchange): AttemptView {
    const token = exchange.token?.value;
    return {
      call,
      seq: exchange.seq,
      operationId: exchange.operationId,
      status: exchange.response?.status ?? null,
      tokenId:
        token === undefined ? null : createHmac('sha256', pseudonymKey).update(token).digest('base64url').slice(0, 12),
    };
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The suite sees a token's form, never a token. */
function withoutToken(exchange: Exchange): Uint8Array {
  const bytes = exchange.response?.body.bytes ?? new Uint8Array();
  const token = exchange.token?.value;
  if (token === undefined || token === '') return bytes;
  return Buffer.from(Buffer.from(bytes).toString('utf8').replaceAll(token, standInFor(token)));
}

async function read(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_REQUEST) throw new Error('the request of a check is too large');
    chunks.push(chunk as Buffer);
  }
  return size === 0 ? null : Buffer.concat(chunks);
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}

function sameText(given: string, wanted: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(wanted);
  return left.length === right.length && timingSafeEqual(left, right);
}
