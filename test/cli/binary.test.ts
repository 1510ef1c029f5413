import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { packageRoot } from '../../src/package-root.ts';
import { renderJson } from '../../src/report/format.ts';
import { LINUX, POSIX } from '../support/needs.ts';
import { check, fullReport } from '../support/report-samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeIo } from './io.ts';

const binary = join(packageRoot, 'bin/banking-api.js');
const folder = await temporaryFolder();

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface How {
  readonly node?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Close our end of the pipe at the first byte. */
  readonly close?: 'stdout' | 'stderr';
  /** File descriptors instead of pipes. */
  readonly stdout?: number;
  readonly stderr?: number;
}

/** Runs the real command in an empty folder, without this process's environment. */
function start(
  argv: readonly string[],
  { node = [], env = {}, cwd = folder, close, stdout, stderr }: How = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...node, binary, ...argv], {
      cwd,
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', stdout ?? 'pipe', stderr ?? 'pipe'],
      timeout: 15_000,
      killSignal: 'SIGKILL',
    });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        text[name] += chunk;
        if (close === name) child[name]?.destroy();
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out: text.stdout, err: text.stderr }));
  });
}

function lastLine(text: string): string | undefined {
  return text.trimEnd().split('\n').at(-1);
}

async function preload(name: string, code: string): Promise<string[]> {
  const file = join(folder, name);
  await writeFile(file, code);
  return ['--require', file];
}

it('verify in a clone uses the suite of the package, which is built', async () => {
  const { code, err } = await start(['verify', '--target', 'mock'], { cwd: packageRoot });
  expect([code, err]).toEqual([0, expect.not.stringContaining('Not used')]);
});

describe('the command', () => {
  it('the command prints its version', async () => {
    const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
    expect(await start(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it('the help lists every command and every exit code', async () => {
    const { code, out, err } = await start(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    for (const exit of [0, 1, 2, 3, 4, 5, 70, 130]) expect(out).toMatch(new RegExp(`^  ${exit} +\\S`, 'm'));
  });

  it.each(commands.map(({ name }) => name))('%s --help shows its flags and exit codes', async (name) => {
    const io = fakeIo();
    expect([await run([name, '--help'], io), io.err()]).toEqual([0, '']);
    expect(io.out()).toContain(`Usage: banking-api ${name} `);
    expect(io.out()).toMatch(/Exit codes:\n {2}0 +\S.*\n(?:.*\n)* {2}2 +\S/);
  });

  it.each([
    [['verfy'], /Unknown command: "verfy"\. Did you mean verify\?/],
    [['verify', '--taget', 'mock'], /Unknown flag: --taget\. Did you mean --target\?/],
    [['verify', '--target', 'mock', '--report', 'pdf'], /pdf|FORMAT/],
    [[], /No command given/],
  ])('%j exits with 2, explains the mistake, and prints the meaning of 2 in the last line', async (argv, message) => {
    const { code, out, err } = await start(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(lastLine(err)).toMatch(/^banking-api(?: verify)?: exit 2 \([a-z-]+\)$/);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('an old version of Node is reported in one line with exit code 2', async () => {
    const old = await preload(
      'old.cjs',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
       Object.defineProperty(process, 'version', { value: 'v20.20.2' });`,
    );
    const { code, out, err } = await start(['--version'], { node: old });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^banking-api-contract needs Node 22\.19 or newer; this is v20\.20\.2 .*\n$/);
  });

  it('version and help load no dependency', async () => {
    const spy = await preload(
      'spy.cjs',
      `require('node:module').registerHooks({ load(url, context, next) {
         if (url.includes('/node_modules/')) process.stderr.write(url + '\\n');
         return next(url, context);
       } });`,
    );
    for (const argv of [['--version'], ['--help'], ...commands.map(({ name }) => [name, '--help'])]) {
      expect(await start(argv, { node: spy })).toMatchObject({ code: 0, err: '' });
    }
  }, 240_000);
});

describe('pipes', () => {
  it('a report larger than a pipe arrives whole', async () => {
    const many = fullReport({ checks: Array.from({ length: 5000 }, (_, id) => check({ id: `check.${id}` })) });
    const text = renderJson(many);
    await writeFile(join(folder, 'large.json'), text);
    const { code, out } = await start(['report', 'json', 'large.json']);
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(500_000);
    expect(out).toBe(text);
  });

  it('a closed stdout is not a fault', async () => {
    const { code, err } = await start(['report', 'json', 'large.json'], { close: 'stdout' });
    expect(code).toBe(0);
    expect(err).toMatch(/^banking-api report: exit 0 \(ok\)\n$/);
  });

  it('a closed stderr is not a fault', async () => {
    expect((await start(['nonsense'], { close: 'stderr' })).code).toBe(2);
  });

  it.each([[['--version']], [['verify', '--help']], [['report', 'json', 'large.json']], [['mock', '--port', '0']]])(
    '%j exits with 2 and a plain message if stdout is a full disk',
    LINUX,
    async (argv) => {
      const full = openSync('/dev/full', 'w');
      const { code, err } = await start(argv, { stdout: full }).finally(() => closeSync(full));
      expect(code).toBe(2);
      expect(err).toContain('stdout: It cannot be written (ENOSPC).\n');
      expect(lastLine(err)).toMatch(/exit 2 \(file-unwritable\)/);
      expect(err).not.toMatch(/^\s+at |bug in banking-api/m);
    },
  );

  it('a disk that accepts only part of a report counts as full', POSIX, async () => {
    const script = `trap '' XFSZ; ulimit -f 8; exec "$@" >cut.json`;
    const argv = ['-c', script, 'bash', process.execPath, binary, 'report', 'json', 'large.json'];
    const { status, stderr } = spawnSync('bash', argv, { cwd: folder, encoding: 'utf8' });
    expect(status).toBe(2);
    expect(lastLine(stderr)).toMatch(/exit 2 \(file-unwritable\)/);
  });

  it('a full stderr does not affect the report', LINUX, async () => {
    const full = openSync('/dev/full', 'w');
    const ended = await start(['report', 'text', 'large.json'], { stderr: full }).finally(() => closeSync(full));
    expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/^DRIFT: /) });
  });
});

describe('secrets', () => {
  const env = { BANKING_API_USERNAME: 'bob', BANKING_API_PASSWORD: 'correct-horse' };

  it('D8: a password from the environment does not appear in an error message', async () => {
    const { code, err } = await start(['report', 'text', 'correct-horse.json'], { env });
    expect(code).toBe(2);
    expect(err).toContain('[redacted].json: The file does not exist.');
    expect(err).not.toContain('correct-horse');
  });

  it('D8: a password from the environment does not appear in a report rendered again', async () => {
    await writeFile(
      join(folder, 'leaky.json'),
      renderJson(fullReport({ stale: [{ fingerprint: 'a', why: 'said correct-horse' }] })),
    );
    for (const format of ['text', 'json']) {
      const { code, out } = await start(['report', format, 'leaky.json'], { env });
      expect(code).toBe(0);
      expect(out).toContain('said [redacted]');
      expect(out).not.toContain('correct-horse');
    }
  });

  it('D9: a config file with a password is rejected with its place, and the password is not repeated', async () => {
    await writeFile(join(folder, 'bad.yaml'), 'probe: false\npassword: correct-horse-2\n');
    const { code, err } = await start(['verify', '--config', 'bad.yaml']);
    expect(code).toBe(2);
    expect(err).toMatch(/bad\.yaml:2:1 .*Credentials do not belong into a file/);
    expect(err).not.toContain('horse');
  });
});
