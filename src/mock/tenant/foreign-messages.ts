import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** What a hook may ask while it runs. `bits` are 32 of the source of chance. */
export type Question = 'named' | 'listed' | 'decimals' | 'currencies' | 'admits' | 'bits';

/** How a load ended (with the names of the hooks, or the seed) or a call (with what the hook made). */
export type CallResult =
  | { readonly kind: 'made'; readonly value?: unknown }
  | { readonly kind: 'failed'; readonly why: string; readonly file?: string };

/** What the process says. Each message is a line of JSON. */
export type Said = CallResult | { readonly kind: 'asks'; readonly question: Question; readonly about: string };

/** @param signal shared by both threads; it counts the lines */
export function send(port: MessagePort, signal: Int32Array, line: string): void {
  port.postMessage(line);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/** Blocks the thread until a line is there; undefined if none came. @param until as `performance.now()` counts */
export function nextLine(port: MessagePort, signal: Int32Array, until: number): string | undefined {
  for (;;) {
    const seen = Atomics.load(signal, 0);
    const left = until - performance.now();
    const received = left > 0 ? receiveMessageOnPort(port) : undefined;
    if (received || left <= 0) return received?.message as string | undefined;
    Atomics.wait(signal, 0, seen, left);
  }
}
