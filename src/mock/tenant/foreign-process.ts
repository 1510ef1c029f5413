import { readSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Hook, HookInput } from '../state/hooks.ts';
import { randomFrom } from '../state/random.ts';
import type { ForeignReply, Question } from './foreign-messages.ts';

/** The process that runs a foreign folder's hooks or seed. It waits for each line without an event loop. */
const { files, isSeed } = JSON.parse(process.argv[2] ?? '') as {
  readonly files: readonly string[];
  readonly isSeed: boolean;
};

function sendReply(reply: ForeignReply): void {
  let rest = Buffer.from(`${JSON.stringify(reply)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(3, rest));
}

let received = Buffer.alloc(0);
const chunk = Buffer.alloc(65_536);

function nextMessage(): unknown {
  for (;;) {
    const end = received.indexOf('\n');
    if (end >= 0) {
      const line = received.toString('utf8', 0, end);
      received = received.subarray(end + 1);
      return JSON.parse(line);
    }
    // not from 0, which a module that imports `node:process` opens
    const size = readSync(4, chunk);
    if (size === 0) process.exit();
    received = Buffer.concat([received, chunk.subarray(0, size)]);
  }
}

const ask = (question: Question, about = ''): unknown => {
  sendReply({ kind: 'asks', question, about });
  return (nextMessage() as { readonly value?: unknown }).value;
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
for (const file of files) {
  try {
    const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
    for (const [name, hook] of Object.entries(module)) if (typeof hook === 'function') hooks.set(name, hook as Hook);
    if (!isSeed) continue;
    const { default: given } = module;
    sendReply({ kind: 'made', value: typeof given === 'function' ? await given() : given });
    process.exit();
  } catch (error) {
    sendReply({ kind: 'failed', why: reasonOf(error), file });
    process.exit();
  }
}
sendReply({ kind: 'made', value: [...hooks.keys()] });

for (;;) {
  const { name, input } = nextMessage() as { readonly name: string; readonly input: Sent };
  try {
    sendReply({ kind: 'made', value: hooks.get(name)?.(inputOf(input)) });
  } catch (error) {
    sendReply({ kind: 'failed', why: reasonOf(error) });
  }
}
