import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { ToolError } from '../../errors.ts';
import type { Hook, HookInput, Hooks } from '../state/hooks.ts';
import { type Ended, nextMessage, type Question, type Said, send } from './hook-messages.ts';

/** Milliseconds for one call of a hook. The mock serves nothing else meanwhile. */
const CALL_TIME = 1000;
/** Milliseconds in which all modules of a folder must have loaded. */
const LOAD_TIME = 10_000;
const MEMORY_MB = 256;

interface Apart {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly signal: Int32Array;
  readonly names: readonly string[];
}

const started = new Map<string, Promise<Hooks>>();

/**
 * Hooks of a folder that is not the package's own. Their modules are loaded once, in a thread without environment; each call has a time limit.
 * @throws ToolError `spec-invalid` if they cannot be loaded; a hook throws it if it fails or does not end in time.
 */
export function foreignHooks(files: readonly string[]): Promise<Hooks> {
  const key = files.join('\n');
  const known = started.get(key);
  if (known) return known;
  const starting = hooksIn(files);
  started.set(key, starting);
  starting.catch(() => started.delete(key));
  return starting;
}

async function hooksIn(files: readonly string[]): Promise<Hooks> {
  const first = await start(files);
  let current: Apart | undefined = first;
  const restart = ({ worker }: Apart): void => {
    current = undefined;
    void worker.terminate();
    start(files).then(
      (apart) => {
        current = apart;
      },
      () => undefined,
    );
  };
  const hookOf = (name: string): Hook => {
    const refused = (why: string): ToolError => new ToolError('spec-invalid', `The hook ${name} ${why}.`);
    return (input) => {
      if (!current) throw refused('is not ready: the hooks start again after one that did not end');
      const said = call(current, name, input);
      if (said === undefined) {
        restart(current);
        throw refused(`did not end within ${CALL_TIME} ms`);
      }
      if (said.kind === 'failed') throw refused(`failed: ${said.why}`);
      return said.value;
    };
  };
  return Object.fromEntries(first.names.map((name) => [name, hookOf(name)]));
}

async function start(files: readonly string[]): Promise<Apart> {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(`./hook-worker${extname(import.meta.url)}`, import.meta.url), {
    ...{ workerData: { files, port: port2, signal }, transferList: [port2] },
    // Nobody reads what hooks print: a stream that is read keeps the process alive.
    ...{ env: {}, execArgv: [], stdin: true, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const ended = new Promise<Ended>((resolve) => {
    worker.on('error', ({ message }) => resolve({ kind: 'failed', why: message }));
    worker.on('exit', () => resolve({ kind: 'failed', why: 'their thread ended' }));
  });
  const timer = new AbortController();
  const late = after(LOAD_TIME, { kind: 'failed', why: `not within ${LOAD_TIME} ms` } as Ended, timer);
  const said = await Promise.race([once(worker, 'message').then(([message]) => message as Ended), ended, late]);
  late.catch(() => undefined);
  timer.abort();
  if (said.kind === 'failed') {
    void worker.terminate();
    const place = said.file === undefined ? undefined : { file: said.file };
    throw new ToolError('spec-invalid', `The hooks cannot be loaded: ${said.why}`, { place });
  }
  worker.unref();
  port.unref();
  return { worker, port, signal, names: said.value as string[] };
}

/** Waits for a hook, and answers what it asks meanwhile. Undefined if its time is up. */
function call({ port, signal }: Apart, name: string, input: HookInput): Ended | undefined {
  const until = performance.now() + CALL_TIME;
  const { record, sent, profile, from, now } = input;
  send(port, signal, { name, input: { record, sent, profile, from, now } });
  for (;;) {
    const said = nextMessage(port, signal, until) as Said | undefined;
    if (said?.kind !== 'asks') return said;
    send(port, signal, answerTo(said.question, said.about, input));
  }
}

function answerTo(question: Question, about: string, { named, listed, decimals, random, limits }: HookInput): unknown {
  if (question === 'named') return named(about);
  if (question === 'listed') return listed(about);
  if (question === 'decimals') return decimals(about);
  if (question === 'currencies') return limits.currencies;
  if (question === 'admits') return limits.admits(about);
  return random.number(2 ** 32);
}
