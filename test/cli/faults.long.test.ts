import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { withoutHandles } from '../../src/cli/faults.ts';
import { ToolError } from '../../src/errors.ts';
import { packageRoot } from '../../src/package-root.ts';
import { describeWith } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const VERIFY = [join(packageRoot, 'bin/banking-api.js'), 'verify', '--target', 'mock'];
const emfile = (message = 'too many open files'): Error => Object.assign(new Error(message), { code: 'EMFILE' });

test.each([
  ['as a system error', emfile()],
  ['in a cause', new Error('no vitest', { cause: new Error('no worker', { cause: emfile() }) })],
  ["in a library's message", new Error('check x: Error: connect EMFILE 127.0.0.1:1 - Local (undefined:undefined)')],
  ['for the whole machine', Object.assign(new Error('ENFILE: file table overflow'), { code: 'ENFILE' })],
  ['as a fault', new ToolError('fault', 'A check is broken: connect EMFILE')],
])('a lack of file handles is a usage error, %s', (_, thrown) => {
  expect(withoutHandles(thrown)).toMatchObject({ code: 'usage', exitCode: 2 });
});

test('any other error is unchanged', () => {
  for (const thrown of [new Error('EMFILED'), new ToolError('fault', 'broken'), 'EMFILE', null]) {
    expect(withoutHandles(thrown)).toBe(thrown);
  }
});

const FEW = [26, 30, 34, 36, 37, 40, 64];

/** Runs `verify` in its own process group, so that a signal to the group cannot end these tests. */
async function verifyWith(handles: number, tracer: readonly string[] = []): Promise<void> {
  const limited = ['-c', `ulimit -n ${handles}; exec "$@"`, 'sh', ...tracer, process.execPath, ...VERIFY];
  const child = spawn('sh', limited, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([0, 2], stderr).toContain(code);
  if (code === 2) expect(stderr).toContain('This process ran out of file handles.');
}

test.runIf(process.platform === 'linux').each(FEW)(
  'verify with %i file handles exits with 2 and a sentence, or completes',
  (handles) => verifyWith(handles),
  70_000,
);

describeWith('strace', 'signals', () => {
  test.each(FEW)(
    'verify with %i file handles signals only its own processes',
    async (handles) => {
      const trace = join(await temporaryFolder(), 'strace');
      await verifyWith(handles, ['strace', '-f', '-q', '--seccomp-bpf', '-e', 'trace=kill', '-o', trace]);
      const calls = await readFile(trace, 'utf8');
      const own = new Set([...calls.matchAll(/^\d+/gm)].map(([id]) => id));
      const signalled = [...calls.matchAll(/kill\((-?\d+)/g)].map(([, id = '']) => id);
      expect(signalled.filter((id) => !own.has(id))).toEqual([]);
    },
    70_000,
  );
});

test('without a temporary folder verify exits with 2 and names the fix', () => {
  const env = { ...process.env, NODE_OPTIONS: '', TMPDIR: '/nowhere/at/all' };
  const { status, stderr } = spawnSync(process.execPath, VERIFY, { encoding: 'utf8', timeout: 60_000, env });
  expect([status, stderr]).toEqual([2, expect.stringContaining('/nowhere/at/all: Cannot create a temporary folder')]);
  expect(stderr).toContain('Set TMPDIR to a writable folder.');
}, 70_000);
