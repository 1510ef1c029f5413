import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** Questions a hook may ask while it runs. `bits` asks for 32 random bits. */
export type Question = 'named' | 'listed' | 'decimals' | 'currencies' | 'admits' | 'bits';

/** The result of a load (names of the hooks, or the seed) or of a call (the hook's value). */
export type CallResult =
  | { readonly kind: 'made'; readonly value?: unknown }
  | { readonly kind: 'failed'; readonly why: string; readonly file?: string };

/** A message from the process. Each message is a line of JSON. */
export type ForeignReply = CallResult | { readonly kind: 'asks'; readonly question: Question; readonly about: string };

/** @param signal counts the lines; both threads share it */
export function send(port: MessagePort, signal: Int32Array, line: string): void {
  port.postMessage(line);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/** Blocks the thread until a line arrives; undefined after `until`. @param until in `performance.now()` time */
export function nextLine(port: MessagePort, signal: Int32Array, until: number): string | undefined {
  for (;;) {
    const seen = Atomics.load(signal, 0);
    const left = until - performance.now();
    const received = left > 0 ? receiveMessageOnPort(port) : undefined;
    if (received || left <= 0) return received?.message as string | undefined;
    Atomics.wait(signal, 0, seen, left);
  }
}
