import { fileURLToPath } from 'node:url';
import { judgeCaller } from '../../src/audit/judge-caller.ts';
import { WRITE_RULES } from '../../src/audit/rules.ts';
import { recordingsOf, survive } from '../../src/drive/survive.ts';
import { python as interpreter } from '../audit/corpus/programs.ts';
import { javaCommand } from '../support/java.ts';

const file = (name: string): string => fileURLToPath(new URL(`./writers/${name}`, import.meta.url));

export interface Writer {
  readonly name: string;
  /** The library and its retry settings, as in the table of docs/survive.md. */
  readonly library: string;
  readonly needs?: 'python with requests' | 'java';
  readonly command: readonly string[];
  readonly isSafe: boolean;
}

const node = (name: string, library: string, isSafe: boolean): Writer => {
  return { name, library, isSafe, command: [process.execPath, file('writer.mjs'), name] };
};
const python = (name: string, library: string, isSafe: boolean): Writer => {
  return {
    name,
    library,
    isSafe,
    needs: 'python with requests',
    command: [interpreter ?? 'python3', file('writer.py'), name],
  };
};
const curl = (name: string, library: string, isSafe: boolean, ...options: string[]): Writer => {
  return { name, library, isSafe, command: ['sh', file('writer.sh'), ...options] };
};

/** The same program with a new reference in each run. */
const fresh = (writer: Writer): Writer => {
  return { ...writer, name: `${writer.name}-fresh`, command: [...writer.command, 'fresh'] };
};

export const LIBRARIES: readonly Writer[] = [
  node('got', 'got', true),
  node('ky', 'ky', true),
  node('axios-retry', 'axios with axios-retry', false),
  node('undici', 'undici with RetryAgent', true),
  python('requests', 'requests, urllib3', true),
  curl('curl', 'curl', true),
  {
    name: 'java',
    library: "Java's HttpClient",
    isSafe: true,
    needs: 'java',
    command: javaCommand(file('Writer.java')),
  },
  node('got-with-post', 'got, `methods: POST`', false),
  node('ky-with-post', 'ky, `methods: post`', false),
  node('undici-with-post', 'undici, `methods: POST`', false),
  python('urllib3-every-method', 'urllib3, `allowed_methods=None`', false),
  curl(
    'curl-all-errors',
    'curl `--retry-all-errors`',
    false,
    '--retry',
    '2',
    '--retry-all-errors',
    '--retry-delay',
    '1',
  ),
];

/** What is random or repeated on purpose in the cards of `payer.mjs`. */
const WAYS: Readonly<Record<string, string>> = {
  reference: 'a fresh reference in each write',
  batch: 'a batch id in all writes of a run',
  twins: 'two identical writes on purpose',
  drawn: 'an amount drawn from two',
  time: 'the time in the body',
  parallel: 'parallel writes in random order',
  queue: 'a queue that works later',
  keys: 'a fresh idempotency key for each attempt',
};
const payer = (way: string, care: 'safe' | 'unsafe'): Writer => {
  const isSafe = care === 'safe';
  return {
    name: `${way}-${care}`,
    library: WAYS[way] ?? '',
    isSafe,
    command: [process.execPath, file('payer.mjs'), way, care],
  };
};

/** Programs that issue cards. Safe ones never issue one twice. Each has a fixed and a random part, or both. */
export const WRITERS: readonly Writer[] = [
  ...LIBRARIES,
  ...LIBRARIES.filter(({ command: [, name = ''] }) => /writer\.(?:mjs|py)$/.test(name)).map(fresh),
  ...Object.keys(WAYS).flatMap((way) => [payer(way, 'safe'), payer(way, 'unsafe')]),
];

export interface SurvivalRow {
  readonly rules: readonly string[];
  /** The effect and the program's claim, by the id of the loss. */
  readonly outcomes: ReadonlyMap<string, string>;
}

const CARDS = ['no card', 'one card', 'two cards'];

/** Runs a writer through every loss. */
export async function surviveAll({ command }: Writer): Promise<SurvivalRow> {
  const signal = AbortSignal.timeout(200_000);
  const { lost, contract } = await survive({ command, env: process.env, cwd: process.cwd(), timeout: 60, signal });
  const { findings } = judgeCaller({ contract, recordings: recordingsOf(lost), rules: WRITE_RULES });
  const outcomes = lost.map(({ driven, writes }): [string, string] => {
    const [{ done = 0, said = 'unknown' } = {}] = writes.outcomes;
    return [
      driven.situation.id.replace('issueNewCard-1-', ''),
      `${CARDS[done] ?? `${done} cards`}, ${said === 'done' ? 'success' : 'error'}`,
    ];
  });
  return {
    rules: findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule),
    outcomes: new Map(outcomes),
  };
}
