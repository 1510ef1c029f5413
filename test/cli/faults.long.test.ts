import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutHandles } from '../../src/cli/faults.ts';
import { ToolError } from '../../src/errors.ts';
import { packageRoot } from '../../src/package-root.ts';

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

test.runIf(process.platform === 'linux').each([26, 34, 40])(
  'verify with %i file handles exits with 2 and a sentence, or completes',
  (handles) => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -n ${handles}; exec "$@"`, 'sh', process.execPath, ...VERIFY],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect([0, 2], stderr).toContain(status);
    if (status === 2) expect(stderr).toContain('This process ran out of file handles.');
  },
  70_000,
);

test('without a temporary folder verify exits with 2 and names the fix', () => {
  const env = { ...process.env, NODE_OPTIONS: '', TMPDIR: '/nowhere/at/all' };
  const { status, stderr } = spawnSync(process.execPath, VERIFY, { encoding: 'utf8', timeout: 60_000, env });
  expect([status, stderr]).toEqual([2, expect.stringContaining('/nowhere/at/all: Cannot create a temporary folder')]);
  expect(stderr).toContain('Set TMPDIR to a writable folder.');
}, 70_000);
