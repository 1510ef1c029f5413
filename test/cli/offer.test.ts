import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Command, Terminal } from '../../src/cli/command.ts';
import { run } from '../../src/cli/run.ts';
import { homeOf, lineToAdd, missingEngine, typed } from '../../src/files/missing-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeIo } from './io.ts';

/** A folder with this package installed and these other files. */
async function placed(manifest: object | null, lock?: string): Promise<string> {
  const folder = await realpath(await temporaryFolder());
  const root = join(folder, 'node_modules/banking-api-contract');
  await mkdir(root, { recursive: true });
  if (manifest) await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  if (lock) await writeFile(join(folder, lock), '');
  return root;
}

const ENGINES = ['pactum', 'vitest'];
const ARGV = ['verify', '--target', 'mock'];
const lineFrom = async (root: Promise<string>) => typed(lineToAdd(ENGINES, homeOf(await root), ARGV));

describe('the install command for an engine', () => {
  test.each([
    ['package-lock.json', 'npm install --save-dev'],
    ['pnpm-lock.yaml', 'pnpm add --save-dev'],
    ['yarn.lock', 'yarn add --dev'],
    ['bun.lock', 'bun add --dev'],
  ])('in a project with %s the install command starts with %s', async (lock, words) => {
    expect(await lineFrom(placed({ private: true }, lock))).toBe(`${words} pactum vitest`);
  });

  test('under npx the install command is the whole npx command again, with the requested version', async () => {
    expect(await lineFrom(placed({ _npx: { packages: ['banking-api-contract@0.1'] } }))).toBe(
      'npx -p banking-api-contract@0.1 -p pactum -p vitest banking-api verify --target mock',
    );
    expect(await lineFrom(placed({ _npx: {} }))).toBe(
      'npx -p banking-api-contract -p pactum -p vitest banking-api verify --target mock',
    );
  });

  test('the install command is global for a global package, and npm ci in a clone', async () => {
    expect(await lineFrom(placed(null))).toBe('npm install --global pactum vitest');
    expect(await lineFrom(temporaryFolder())).toBe('npm ci');
  });

  test('the install command quotes characters with a meaning in a shell', () => {
    expect(typed({ program: 'npx', args: ['a b', "it's", '$(x)', '…', 'https://x/?a=1,b:2'] })).toBe(
      "npx 'a b' 'it'\\''s' '$(x)' … 'https://x/?a=1,b:2'",
    );
  });
});

describe('a command without its engine', () => {
  const command: Command = {
    flags: {},
    exits: { 0: 'fine' },
    run: async () => {
      throw missingEngine('The suite needs pactum.', ['pactum'], undefined);
    },
  };
  const table = [{ name: 'suite', summary: 'run it', load: async () => ({ command }) }];

  /** Exit code and messages of the command, if a person gives this answer and the commands end with these codes. */
  async function asked(answer: string | null, codes: readonly (number | null)[] = []) {
    const ask = vi.fn<Terminal['ask']>(async () => answer);
    const left = [...codes];
    const added = vi.fn<Terminal['run']>(async () => left.shift() ?? null);
    const io = fakeIo({ terminal: { ask, run: added } });
    const code = await run(['suite'], io, table);
    return { code, err: io.err(), questions: ask.mock.calls.flat(), lines: added.mock.calls.flat() };
  }

  test('the command exits with 2 and the install command without a terminal', async () => {
    const io = fakeIo();
    expect(await run(['suite'], io, table)).toBe(2);
    expect(io.err()).toBe(
      'The suite needs pactum.\nInstall the missing packages: npm ci\nbanking-api suite: exit 2 (engine-missing)\n',
    );
  });

  test.each(['n', 'no', 'what', null])('the command installs nothing after the answer %j', async (answer) => {
    const { code, err, lines } = await asked(answer);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(err).toContain('Install the missing packages: npm ci\n');
  });

  test.each(['', 'y', ' Yes'])('the command installs the engine and continues after the answer %j', async (answer) => {
    const { code, questions, lines, err } = await asked(answer, [0, 1]);
    expect(questions).toEqual(['Run npm ci and continue? [Y/n] ']);
    expect(lines).toEqual([{ program: 'npm', args: ['ci'] }, 'again']);
    expect({ code, err }).toEqual({ code: 1, err: 'The suite needs pactum.\n' });
  });

  test.each([
    ['cannot be installed', [1]],
    ['cannot be started', [null]],
    ['ends without one of our exit codes', [0, null]],
  ])('the command exits with 2 if the engine %s', async (_, codes) => {
    expect((await asked('y', codes)).code).toBe(2);
  });
});
