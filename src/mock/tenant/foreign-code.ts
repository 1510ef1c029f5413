import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { ToolError } from '../../errors.ts';
import { confinedArguments } from '../../files/confinement.ts';
import { readableBelow, realPathBelow } from '../../files/containment.ts';
import { modulePath } from '../../package-root.ts';
import { parseJson } from '../../text/decode.ts';
import type { Hook, HookInput, Hooks } from '../state/hooks.ts';
import { type CallResult, type ForeignReply, nextLine, type Question, send } from './foreign-messages.ts';

/** Milliseconds for one hook call. The mock handles nothing else meanwhile. */
const CALL_TIME = 1000;
const LOAD_TIME = 10_000;
const MEMORY_MB = 256;

/** What Node says of a module in a package of the type commonjs. */
const IS_COMMONJS = /ES Module|'export'|outside a module/;

/** Code of a contract folder that runs confined. It may read files below `root`. */
export interface ForeignCode {
  readonly root: string;
  readonly files: readonly string[];
  /** Milliseconds until all modules must have loaded. */
  readonly loadTime?: number;
}

interface Apart {
  readonly port: MessagePort;
  readonly signal: Int32Array;
  /** The names of the hooks, or the seed. */
  readonly loaded: unknown;
  readonly end: () => void;
}

const started = new Map<string, Promise<Hooks>>();

/**
 * Hooks of a folder, loaded once in a process without environment that reads only the folder. Calls time out.
 * @throws ToolError `spec-invalid` if they cannot be loaded. A hook throws it if it fails or exceeds its time limit.
 */
export function foreignHooks(code: ForeignCode): Promise<Hooks> {
  const key = [code.root, ...code.files].join('\n');
  const known = started.get(key);
  if (known) return known;
  const starting = hooksIn(code);
  started.set(key, starting);
  starting.catch(() => started.delete(key));
  return starting;
}

/**
 * The seed that a module exports. The module runs in a separate process, restricted as for {@link foreignHooks}.
 * @throws ToolError `spec-invalid` if it cannot be loaded, `file-missing`
 */
export async function foreignSeed(root: string, file: string): Promise<unknown> {
  await realPathBelow(root, file);
  const { loaded, end } = await start({ root, files: [file] }, true);
  end();
  return loaded;
}

async function hooksIn(code: ForeignCode): Promise<Hooks> {
  const first = await start(code, false);
  let current: Apart | undefined = first;
  const restart = ({ end }: Apart): void => {
    current = undefined;
    end();
    start(code, false).then(
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
      const reply = call(current, name, input);
      if (reply === undefined) {
        restart(current);
        throw refused(`did not end within ${CALL_TIME} ms`);
      }
      if (reply.kind === 'failed') throw refused(`failed: ${reply.why}`);
      return reply.value;
    };
  };
  return Object.fromEntries((first.loaded as string[]).map((name) => [name, hookOf(name)]));
}

const PROCESS = modulePath('src/mock/tenant/foreign-process');
/** The package's own files that the process imports. */
const OWN = [PROCESS, modulePath('src/mock/state/random')];

async function start({ root, files, loadTime = LOAD_TIME }: ForeignCode, isSeed: boolean): Promise<Apart> {
  const args = [...confinedArguments([...(await readableBelow(root)), ...OWN], MEMORY_MB), PROCESS];
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(modulePath('src/mock/tenant/foreign-thread'), {
    workerData: { args: [...args, JSON.stringify({ files, isSeed })], port: port2, signal },
    transferList: [port2],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const end = (): void => worker.postMessage('end');
  const failed = (why: string): CallResult => ({ kind: 'failed', why });
  const ended = once(worker, 'exit').then(
    () => failed('their thread ended'),
    ({ message }: Error) => failed(message),
  );
  const timer = new AbortController();
  const late = after(loadTime, failed(`not within ${loadTime} ms`), timer);
  late.catch(() => undefined);
  const loading = once(worker, 'message').then(
    ([line]) => replyIn(line as string) as CallResult,
    () => ended,
  );
  const reply = await Promise.race([loading, ended, late]);
  timer.abort();
  if (reply.kind === 'failed') {
    end();
    const { file, why } = reply;
    throw new ToolError('spec-invalid', `The ${isSeed ? 'seed' : 'hooks'} cannot be loaded: ${why}`, {
      place: file === undefined ? undefined : { file },
      hint: IS_COMMONJS.test(why) ? 'End its name in .mjs, or set "type": "module" in its package.json.' : undefined,
    });
  }
  worker.unref();
  port.unref();
  return { port, signal, loaded: reply.value, end };
}

/** If the foreign code printed anything but a message, the call failed. */
function replyIn(line: string): ForeignReply {
  const reply = parseJson(line) as ForeignReply | undefined;
  return reply ?? { kind: 'failed', why: 'it wrote a line that is not a reply' };
}

/** Waits for a hook and answers its questions meanwhile. Undefined after the time limit. */
function call({ port, signal }: Apart, name: string, input: HookInput): CallResult | undefined {
  const until = performance.now() + CALL_TIME;
  const { record, sent, profile, from, now } = input;
  send(port, signal, JSON.stringify({ name, input: { record, sent, profile, from, now } }));
  for (;;) {
    const line = nextLine(port, signal, until);
    if (line === undefined) return undefined;
    const reply = replyIn(line);
    if (reply.kind !== 'asks') return reply;
    send(port, signal, JSON.stringify({ value: answerTo(reply.question, reply.about, input) }));
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
