import { pathToFileURL } from 'node:url';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Hook, HookInput } from '../state/hooks.ts';
import { randomFrom } from '../state/random.ts';
import { nextMessage, type Question, type Said, send } from './hook-messages.ts';

/** The thread in which hooks of a foreign contract folder run. */
const { files, port, signal } = workerData as {
  readonly files: readonly string[];
  readonly port: MessagePort;
  readonly signal: Int32Array;
};

const ask = (question: Question, about = ''): unknown => {
  send(port, signal, { kind: 'asks', question, about } satisfies Said);
  return nextMessage(port, signal, Number.POSITIVE_INFINITY);
};

type Sent = Pick<HookInput, 'record' | 'sent' | 'profile' | 'from' | 'now'>;

function inputOf(sent: Sent): HookInput {
  return {
    ...sent,
    named: (field) => ask('named', field) as ReturnType<HookInput['named']>,
    listed: (kind) => ask('listed', kind) as ReturnType<HookInput['listed']>,
    decimals: (currency) => ask('decimals', currency) as number | undefined,
    random: randomFrom(() => ask('bits') as number),
    limits: {
      get currencies() {
        return ask('currencies') as string[];
      },
      admits: (currency) => ask('admits', currency) as boolean,
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const hooks = new Map<string, Hook>();
let isLoaded = true;
for (const file of files) {
  try {
    const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
    for (const [name, hook] of Object.entries(module)) if (typeof hook === 'function') hooks.set(name, hook as Hook);
  } catch (error) {
    isLoaded = false;
    parentPort?.postMessage({ kind: 'failed', why: reasonOf(error), file } satisfies Said);
    break;
  }
}
if (isLoaded) parentPort?.postMessage({ kind: 'made', value: [...hooks.keys()] } satisfies Said);

while (isLoaded) {
  const { name, input } = nextMessage(port, signal, Number.POSITIVE_INFINITY) as { name: string; input: Sent };
  try {
    send(port, signal, { kind: 'made', value: hooks.get(name)?.(inputOf(input)) } satisfies Said);
  } catch (error) {
    send(port, signal, { kind: 'failed', why: reasonOf(error) } satisfies Said);
  }
}
