import { expect, test } from 'vitest';
import { type Ending, runProgram } from '../../src/drive/run-program.ts';

async function run(
  script: string,
  over: { timeout?: number; signal?: AbortSignal; onLine?: () => void } = {},
): Promise<{ ending: Ending; lines: string[] }> {
  const lines: string[] = [];
  const ending = await runProgram({
    command: [process.execPath, '-e', script],
    env: process.env,
    cwd: process.cwd(),
    timeout: 20_000,
    signal: new AbortController().signal,
    ...over,
    onLine: (line) => {
      lines.push(line);
      over.onLine?.();
    },
  });
  return { ending, lines };
}

test('the result contains the end of a program and its whole output', async () => {
  const { ending, lines } = await run('console.log("out"); console.error("err"); process.exitCode = 3');
  expect(ending).toEqual({ kind: 'exited', code: 3 });
  expect(lines.sort()).toEqual(['err', 'out']);
});

test('a program that does not end is stopped', async () => {
  expect((await run('setInterval(() => {}, 1000)', { timeout: 300 })).ending).toEqual({ kind: 'timeout' });
});

test('a program is stopped with its situation, and its child processes with it', async () => {
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    process.on('SIGTERM', () => {}); console.log(child.pid); setInterval(() => {}, 1000)`;
  const situation = new AbortController();
  const { ending, lines } = await run(script, { signal: situation.signal, onLine: () => situation.abort() });
  expect(ending).toEqual({ kind: 'stopped' });
  expect(lines).toEqual([expect.stringMatching(/^\d+$/)]);
  await expect.poll(() => isAlive(Number(lines[0]))).toBe(false);
});

test('a program that cannot be started is a usage error that names it', async () => {
  const options = {
    env: {},
    cwd: process.cwd(),
    timeout: 1_000,
    signal: new AbortController().signal,
    onLine: () => {},
  };
  await expect(runProgram({ ...options, command: ['no-such-program'] })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('no-such-program'),
  });
});

/** A zombie process counts as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
