import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Exchange } from '../../src/model/exchange.ts';
import type { ProxyEvent, ProxyOptions, RunningProxy } from '../../src/proxy/options.ts';
import { startProxy } from '../../src/proxy/start-proxy.ts';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback.ts';

/** A target on raw bytes: it stores received bytes and sends scripted ones. */
export interface RawTarget extends LoopbackServer {
  /** All bytes received, per connection. */
  readonly received: Buffer[];
  readonly connections: () => number;
  /** Handles the bytes received so far on a connection; called with each chunk. */
  answer: (socket: Socket, soFar: Buffer, index: number) => void;
}

export async function startRawTarget(answer: RawTarget['answer'] = () => {}): Promise<RawTarget> {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = received.length;
    received.push(Buffer.alloc(0));
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), chunk]);
      target.answer(socket, received[index], index);
    });
  });
  const target: RawTarget = {
    ...(await listenOnLoopback(server)),
    received,
    connections: () => sockets.size,
    answer,
  };
  return target;
}

/** The end of a head, or of a whole message in these tests. */
export function headEnd(bytes: Buffer): number {
  const at = bytes.indexOf('\r\n\r\n');
  return at < 0 ? -1 : at + 4;
}

/** Answers every complete head with the same bytes. */
export function answering(bytes: string | Buffer, close = false): RawTarget['answer'] {
  const done = new WeakMap<Socket, number>();
  return (socket, soFar) => {
    const heads = soFar.toString('latin1').split('\r\n\r\n').length - 1;
    if (heads <= (done.get(socket) ?? 0)) return;
    done.set(socket, heads);
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    if (close) socket.end();
  };
}

/** A proxy with its exchanges and events. */
export interface Watched extends AsyncDisposable {
  readonly proxy: RunningProxy;
  readonly exchanges: Exchange[];
  readonly events: ProxyEvent[];
}

export async function watch(target: string, options: Partial<ProxyOptions> = {}): Promise<Watched> {
  const exchanges: Exchange[] = [];
  const events: ProxyEvent[] = [];
  const proxy = await startProxy({
    target,
    ...options,
    onExchange: (exchange) => {
      exchanges.push(exchange);
      options.onExchange?.(exchange);
    },
    onEvent: (event) => events.push(event),
  });
  return { proxy, exchanges, events, [Symbol.asyncDispose]: () => proxy.close() };
}

/** Sends bytes; returns the reply until the other side closes or `until` returns true. */
export function speak(
  port: number,
  bytes: string | Buffer,
  until: (soFar: Buffer) => boolean = () => false,
  milliseconds = 8000,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let soFar = Buffer.alloc(0);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end in ${milliseconds} ms; so far: ${soFar.toString('latin1').slice(0, 500)}`));
    }, milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(soFar);
    };
    socket.on('error', end);
    socket.on('close', end);
    socket.on('data', (chunk) => {
      soFar = Buffer.concat([soFar, chunk]);
      if (until(soFar)) end();
    });
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

/** A parsed message: start line, header lines, and the bytes after the head. */
export interface Message {
  readonly start: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly rest: Buffer;
}

export function messageOf(bytes: Buffer): Message {
  const end = headEnd(bytes);
  const [start = '', ...lines] = bytes
    .subarray(0, end - 4)
    .toString('latin1')
    .split('\r\n');
  const fields = lines.map((line) => {
    const cut = line.indexOf(':');
    return [line.slice(0, cut), line.slice(cut + 1).trim()] as const;
  });
  return { start, fields, rest: bytes.subarray(end) };
}

/** The header lines that do not concern the connection. */
export function lasting(message: Message): (readonly [string, string])[] {
  return message.fields.filter(([name]) => !/^(connection|keep-alive|host)$/i.test(name));
}

export const until = async (condition: () => boolean, milliseconds = 15_000): Promise<void> => {
  const end = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > end) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** Closes each after the test, in reverse order. */
export function open(...each: readonly AsyncDisposable[]): void {
  for (const one of each) onTestFinished(() => one[Symbol.asyncDispose]());
}
