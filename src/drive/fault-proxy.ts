import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../contract/contract.ts';
import { createMatcher } from '../contract/paths.ts';
import type { Mock } from '../mock/mock.ts';
import type { Exchange, ExchangeResponse, HeaderFields } from '../model/exchange.ts';
import type { Passing, Situation } from './situations.ts';

export interface FaultProxyOptions {
  readonly mock: Mock;
  readonly situation: Situation;
  readonly contract: Contract;
  /** Told each exchange when its answer was sent or its caller had gone. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Number of the next exchange. */
  readonly nextSeq: () => number;
}

export interface FaultProxy {
  /** `http://127.0.0.1:49152` */
  readonly url: string;
  close(): Promise<void>;
}

const LARGEST_BODY = 10 * 1024 * 1024;

/** Stands between a program and the mock, makes a situation of it, and records what the program saw and when. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { mock, situation, onExchange, nextSeq } = options;
  const find = createMatcher(options.contract.operations);
  const agent = new Agent({ keepAlive: true });
  const connections = new WeakMap<Socket, number>();
  const counts = { token: 0, call: 0 };
  let lastConnection = 0;
  let expiresAt: number | null = null;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedAt = Date.now();
    const seq = nextSeq();
    const match = find(incoming.method ?? '', incoming.url ?? '');
    const operationId = match?.kind === 'operation' ? match.operation.operationId : null;
    const kind: Passing['kind'] = match?.kind === 'operation' && match.operation.auth === 'issues' ? 'token' : 'call';
    const connection = connections.get(incoming.socket) ?? ++lastConnection;
    connections.set(incoming.socket, connection);
    let body: Buffer | null = null;
    let told = false;
    const tell = (response: ExchangeResponse | null, endedAt = Date.now()): void => {
      if (told) return;
      told = true;
      onExchange({
        seq,
        startedAt,
        endedAt,
        connection,
        operationId,
        request: {
          method: incoming.method ?? '',
          target: incoming.url ?? '',
          headers: pairs(incoming.rawHeaders),
          body: body === null || body.length === 0 ? null : body,
        },
        response,
        failure: response === null ? { kind: 'aborted', message: 'The caller had gone.' } : null,
        token: null,
      });
    };
    outgoing.on('close', () => tell(null));

    body = await readBody(incoming);
    counts[kind] += 1;
    const fault = situation.meet?.({ kind, number: counts[kind], expiresAt, now: Date.now() }, mock) ?? {};
    if (fault.waitBefore !== undefined && fault.waitBefore > 0)
      await sleep(fault.waitBefore, undefined, { ref: false });
    fault.meanwhile?.();
    const answer =
      fault.status === undefined
        ? await forward(mock.url, agent, incoming, body)
        : {
            status: fault.status,
            headers: PLAIN,
            body: { bytes: Buffer.from('unavailable\n'), state: 'complete' as const },
          };
    if (fault.waitAfter !== undefined && fault.waitAfter > 0) await sleep(fault.waitAfter, undefined, { ref: false });
    fault.afterwards?.();
    if (outgoing.destroyed) return;
    if (kind === 'token') expiresAt = expiryOf(answer) ?? expiresAt;
    // before its caller can have it: what the caller does about it comes after
    const endedAt = Date.now();
    outgoing.on('finish', () => tell(answer, endedAt));
    outgoing.writeHead(answer.status, answer.headers.filter(([name]) => !HOP_BY_HOP.has(name)).flat());
    outgoing.end(answer.body.bytes);
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
}

const PLAIN: HeaderFields = [['content-type', 'text/plain']];
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function forward(url: string, agent: Agent, incoming: IncomingMessage, body: Buffer): Promise<ExchangeResponse> {
  const headers = pairs(incoming.rawHeaders).filter(([name]) => !HOP_BY_HOP.has(name) && name !== 'expect');
  const length = body.length > 0 ? [['content-length', String(body.length)] as const] : [];
  return new Promise((resolve, reject) => {
    const outgoing = send(new URL(url), {
      agent,
      method: incoming.method,
      path: incoming.url,
      headers: [...headers, ...length].flat(),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      readBody(answer)
        .then((bytes) =>
          resolve({
            status: answer.statusCode ?? 502,
            headers: pairs(answer.rawHeaders),
            body: { bytes, state: 'complete' },
          }),
        )
        .catch(reject);
    });
    outgoing.end(body);
  });
}

function pairs(flat: readonly string[]): [string, string][] {
  const fields: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) fields.push([String(flat[at]).toLowerCase(), String(flat[at + 1])]);
  return fields;
}

function expiryOf({ status, body }: ExchangeResponse): number | null {
  if (status !== 200) return null;
  try {
    const { expires_in: lifetime } = JSON.parse(Buffer.from(body.bytes).toString()) as { expires_in?: unknown };
    return typeof lifetime === 'number' ? Date.now() + lifetime * 1000 : null;
  } catch {
    return null;
  }
}
