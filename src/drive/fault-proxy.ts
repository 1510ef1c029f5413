import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../contract/contract.ts';
import { createMatcher } from '../contract/paths.ts';
import type { Mock } from '../mock/mock.ts';
import { type Exchange, type ExchangeResponse, fieldsOf, type HeaderFields } from '../model/exchange.ts';
import { readBody } from '../net/response.ts';
import { close, listen, urlOf } from '../net/serving.ts';
import type { Passing, Situation } from './situations.ts';

export interface FaultProxyOptions {
  readonly mock: Mock;
  readonly situation: Situation;
  readonly contract: Contract;
  /** Called when a request has begun. */
  readonly onRequest: () => void;
  /** Called with each exchange when its answer was sent or its caller had gone. They are numbered from 1 as they began. */
  readonly onExchange: (exchange: Exchange) => void;
}

export interface FaultProxy {
  /** `http://127.0.0.1:49152` */
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const LARGEST_BODY = 10 * 1024 * 1024;
const PLAIN: HeaderFields = [['content-type', 'text/plain']];
/** What concerns one connection only, or is set anew. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect', 'host']);

/** Stands between a program and the mock, makes a situation of it, and records what the program saw and when. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { mock, situation, contract, onRequest, onExchange } = options;
  const find = createMatcher(contract.operations);
  const connections = new WeakMap<Socket, number>();
  const counts = { token: 0, call: 0 };
  let lastSeq = 0;
  let lastConnection = 0;
  let promised: number | null = null;
  let expiresAt: number | null = null;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedAt = Date.now();
    const { method = '', url: target = '', rawHeaders, socket } = incoming;
    lastSeq += 1;
    const seq = lastSeq;
    onRequest();
    const match = find(method, target);
    const operation = match?.kind === 'operation' ? match.operation : null;
    const kind: Passing['kind'] = operation?.auth === 'issues' ? 'token' : 'call';
    const connection = connections.get(socket) ?? ++lastConnection;
    connections.set(socket, connection);
    const headers = fieldsOf(rawHeaders);
    let body: Uint8Array | null = null;
    let told = false;
    const tell = (response: ExchangeResponse | null, endedAt = Date.now()): void => {
      if (told) return;
      told = true;
      onExchange({
        ...{ seq, startedAt, endedAt, connection, response, token: null },
        operationId: operation?.operationId ?? null,
        request: { method, target, headers, body },
        failure: response === null ? { kind: 'aborted', message: 'The caller had gone.' } : null,
      });
    };
    outgoing.on('close', () => tell(null));

    const { bytes, state } = await readBody(incoming, undefined, LARGEST_BODY);
    if (state !== 'complete') throw new Error(`The body is ${state}.`);
    body = bytes.length === 0 ? null : bytes;
    counts[kind] += 1;
    if (kind === 'call' && promised !== null) {
      expiresAt = Date.now() + promised;
      promised = null;
    }
    const fault = situation.meet?.({ kind, number: counts[kind], expiresAt, now: Date.now() }, mock) ?? {};
    await pause(fault.waitBefore);
    fault.meanwhile?.();
    const response =
      fault.status === undefined
        ? await forward(mock, { method, target, headers, body })
        : { status: fault.status, headers: PLAIN, body: complete(Buffer.from('unavailable\n')) };
    await pause(fault.waitAfter);
    fault.afterwards?.();
    if (outgoing.destroyed) return;
    if (kind === 'token') promised = lifetimeOf(response) ?? promised;
    // before its caller can have it: what the caller does about it comes after
    const endedAt = Date.now();
    outgoing.on('finish', () => tell(response, endedAt));
    outgoing.writeHead(response.status, withoutConnection(response.headers).flat());
    outgoing.end(response.body.bytes);
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const { port } = await listen(server, 0, HOST);
  return { url: urlOf(HOST, port), close: () => close(server, 0) };
}

async function pause(ms = 0): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { ref: false });
}

async function forward(mock: Mock, { method, target, headers, body }: Exchange['request']): Promise<ExchangeResponse> {
  const response = await mock.fetch(`${mock.url}${target}`, {
    method,
    headers: withoutConnection(headers),
    // `fetch` knows no GET with a body, and the mock would not look at it
    body: method === 'GET' || method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer> | null),
  });
  return { status: response.status, headers: [...response.headers], body: complete(await response.bytes()) };
}

function complete(bytes: Uint8Array): ExchangeResponse['body'] {
  return { bytes, state: 'complete' };
}

function withoutConnection(fields: HeaderFields): [string, string][] {
  return fields.filter(([name]) => !OF_CONNECTION.has(name)).map(([name, value]) => [name, value]);
}

/** How long a token response promises that its token lives; null where it gives none. Milliseconds. */
function lifetimeOf({ status, body }: ExchangeResponse): number | null {
  if (status !== 200) return null;
  try {
    const { expires_in: lifetime } = JSON.parse(Buffer.from(body.bytes).toString()) as { expires_in?: unknown };
    return typeof lifetime === 'number' ? lifetime * 1000 : null;
  } catch {
    return null;
  }
}
