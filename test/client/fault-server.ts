import { createServer, type Socket } from 'node:net';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback.ts';

/** Answers one token request on the raw socket. */
export type Fault = (socket: Socket, server: FaultServer) => void;

/**
 * A token endpoint that breaks every rule. The first part of the path selects the fault,
 * so that `${url}/<name>` is a base URL.
 */
export class FaultServer {
  readonly #faults: Readonly<Record<string, Fault>>;
  #server: LoopbackServer | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Complete requests as received. */
  readonly requests: string[] = [];
  /** Bytes that a fault has written to its sockets. */
  written = 0;
  url = '';

  constructor(faults: Readonly<Record<string, Fault>>) {
    this.#faults = faults;
  }

  async listen(): Promise<void> {
    this.#server = await listenOnLoopback(createServer((socket) => this.#serve(socket)));
    this.url = this.#server.url;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#server?.[Symbol.asyncDispose]();
  }

  /** Calls back repeatedly until the socket closes. */
  drip(socket: Socket, ms: number, step: (count: number) => void): void {
    let count = 0;
    const timer = setInterval(() => step(count++), ms);
    this.#timers.add(timer);
    socket.once('close', () => clearInterval(timer));
  }

  write(socket: Socket, bytes: string | Uint8Array): boolean {
    this.written += bytes.length;
    return socket.write(bytes);
  }

  #serve(socket: Socket): void {
    let seen = '';
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      const head = seen.indexOf('\r\n\r\n');
      const length = Number(/content-length: *(\d+)/i.exec(seen)?.[1] ?? 0);
      if (head < 0 || seen.length < head + 4 + length) return;
      this.requests.push(seen);
      const name = decodeURIComponent(/^\S+ \/([^/ ]+)/.exec(seen)?.[1] ?? '');
      seen = '';
      this.#faults[name]?.(socket, this);
    });
  }
}
