import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type CallResult, send } from './foreign-messages.ts';

/** The thread between the process of foreign code and the mock. The mock waits for lines without its event loop. */
const { args, port, signal } = workerData as {
  readonly args: readonly string[];
  readonly port: MessagePort;
  readonly signal: Int32Array;
};

const child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
const [, , , output, input] = child.stdio as unknown as [null, null, null, Readable, Writable];
parentPort?.once('message', () => {
  // to a process that could not start, Node's signal goes to an arbitrary process
  if (child.pid !== undefined) child.kill('SIGKILL');
  process.exit();
});
input.on('error', () => undefined);
const failure = once(child, 'exit').then(
  () => failed('their process ended'),
  ({ message }: Error) => failed(message),
);
const lines = createInterface({ input: output });
const nextLine = async (): Promise<string> => (await once(lines, 'line'))[0] as string;

parentPort?.postMessage(await Promise.race([nextLine(), failure]));
// reads exactly one line per line sent, even if the process prints more
port.on('message', async (line: string) => {
  input.write(`${line}\n`);
  send(port, signal, await nextLine());
});

function failed(why: string): string {
  return JSON.stringify({ kind: 'failed', why } satisfies CallResult);
}
