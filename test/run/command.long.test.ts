import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/command.ts';
import { run } from '../../src/cli/run.ts';
import type { Report } from '../../src/model/report.ts';
import { packageRoot } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CARD, CREDENTIALS, json, PARAMETERS, type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
const open: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox[Symbol.asyncDispose]();
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function command(argv: readonly string[], over: Partial<Io> & { isTTY?: boolean } = {}): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text), isTTY: over.isTTY ?? false, columns: 60 },
    env: { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password, ...over.env },
    cwd: folder,
    signal: over.signal ?? new AbortController().signal,
  };
  const code = await run(argv, io);
  return { code, stdout, stderr };
}

async function sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const started = await startSandbox(options);
  open.push(started);
  await writeFile(
    join(folder, 'banking-api.config.yaml'),
    `parameters:\n${Object.entries(PARAMETERS)
      .map(([name, value]) => `  ${name}: '${value}'`)
      .join('\n')}\ntimeouts: { firstByte: 1, dead: 2 }\nlimits: { backoff: 0.01 }\n`,
  );
  return started;
}

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('verify', () => {
  test('a target that agrees exits with 0; stderr starts with the target and ends with the meaning of the code', async () => {
    const { url } = await sandbox();
    const { code, stdout, stderr } = await command(['verify', '--target', url]);
    expect(code).toBe(0);
    expect(lines(stderr)).toEqual([
      `Target: ${url}; only reads are sent. Sent to ${new URL(url).host}: BANKING_API_USERNAME, BANKING_API_PASSWORD.`,
      'banking-api verify: exit 0 (ok)',
    ]);
    expect(stdout).toContain(url);
  });

  test('drift exits with 1, and one run writes every requested report', async () => {
    const { url, seen } = await sandbox({
      bodies: { 'GET /wallet/api/customers/c-1/cards/k-4': { ...CARD, token: 1 } },
    });
    const { code, stdout } = await command([
      'verify',
      '--target',
      url,
      '--report',
      'json',
      '--report',
      'text=out/report.txt',
    ]);
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as Report;
    expect([report.exitCode, report.verdict, report.command]).toEqual([1, 'drift', 'verify']);
    expect(report.findings.some(({ rule }) => rule === 'type-contradicted')).toBe(true);
    expect(await readFile(join(folder, 'out', 'report.txt'), 'utf8')).toContain('type-contradicted');
    expect(
      seen.filter(({ path, authorization }) => path.endsWith('/cards/k-4') && authorization.includes('ey')),
    ).toHaveLength(1);
  });

  test('--require-coverage exits with 4 below its minimum, and with 2 for an invalid value', async () => {
    const { url } = await sandbox();
    for (const [floor, code] of [
      ['fields=1%,statements=1', 0],
      ['statements=18', 4],
      ['fields=high', 2],
    ] as const)
      expect((await command(['verify', '--target', url, '--require-coverage', floor])).code, floor).toBe(code);
  });

  test('--fail-on moves the threshold', async () => {
    const { url } = await sandbox();
    expect((await command(['verify', '--target', url, '--fail-on', 'info'])).code).toBe(1);
  });

  test('an unreachable target exits with 4', async () => {
    const { url } = await sandbox({ fault: (_, response) => Boolean(response.socket?.destroy()) });
    const { code, stderr } = await command(['verify', '--target', url]);
    expect([code, lines(stderr).at(-1)]).toEqual([4, expect.stringContaining('inconclusive')]);
  });

  test('an access token above 32,768 bytes exits with 4 quickly and names the limit', async () => {
    const { url } = await sandbox({
      token: (response) => ({ ...response, access_token: `${response.access_token}${'A'.repeat(500_000)}` }),
    });
    const before = process.cpuUsage();
    const { code, stdout } = await command(['verify', '--target', url]);
    expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([4, expect.stringContaining('is longer than 32768 bytes')]);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
  });

  test('bad usage and configuration exit with 2, a bad overlay with 3, and nothing is sent', async () => {
    const { url, seen } = await sandbox();
    await writeFile(join(folder, 'bad.yaml'), 'overlay: 1.0.0\nactions: 7\n');
    for (const [argv, expected] of [
      [['verify', 'mock'], 2],
      [['verify', '--target', 'nonsense'], 2],
      [['verify', '--target', url, '--report', 'pdf'], 2],
      [['verify', '--target', url, '--report', 'json', '--report', 'text'], 2],
      [['verify', '--target', url, '--allow', 'everything'], 2],
      [['verify', '--target', url, '--config', 'missing.yaml'], 2],
      [['verify', '--target', url, '--overlay', 'bad.yaml'], 3],
    ] as const) {
      expect((await command(argv)).code, argv.join(' ')).toBe(expected);
    }
    expect(seen).toEqual([]);
  });

  test('--plan prints every call and sends nothing', async () => {
    const { url, seen } = await sandbox();
    const { code, stdout, stderr } = await command(['verify', '--target', url, '--plan', '--probe']);
    expect(lines(stderr).at(-1)).toBe('banking-api verify: exit 0 (ok)');
    expect([code, seen]).toEqual([0, []]);
    expect(stdout).toContain('GET /wallet/api/customers/c-1/cards/k-4');
    expect(stdout).toContain('/wallet/api/customers/{customerId}/cards/{cardId}');
    expect(stdout).toMatch(/^read +POST \/iam\/oauth\/token .*wrong-password/m);
    expect(stdout).not.toMatch(/^(write|destructive)/m);
  });

  test('progress appears on a terminal, but not in CI', async () => {
    const { url } = await sandbox();
    const live = await command(['verify', '--target', url], { isTTY: true });
    expect(live.stderr).toMatch(/2K1\/\d+ token\.response/);
    const ci = await command(['verify', '--target', url], { isTTY: true, env: { CI: 'true' } });
    expect(lines(ci.stderr)).toHaveLength(2);
  });

  test('an interrupted run exits with 130 and reports its results so far', async () => {
    const stop = new AbortController();
    const { url } = await sandbox({
      fault: ({ path }) => {
        if (!path.endsWith('/cards/k-4')) return false;
        stop.abort('SIGINT');
        return true;
      },
    });
    const { code, stdout } = await command(['verify', '--target', url, '--report', 'json'], { signal: stop.signal });
    expect(code).toBe(130);
    const report = JSON.parse(stdout) as Report;
    expect(report.exitCode).toBe(130);
    expect(report.checks.find(({ id }) => id === 'token.response')?.outcome).toBe('passed');
    expect(report.checks.some(({ reason }) => reason.includes('interrupted'))).toBe(true);
  });
});

test('a signal during a run makes the process write its report and exit with 130', async () => {
  const { url } = await sandbox({ fault: ({ path }) => path.endsWith('/cards/k-4') && Boolean(child?.kill('SIGINT')) });
  const { username, password } = CREDENTIALS;
  const child = spawn(process.execPath, [join(packageRoot, 'bin/banking-api.js'), 'verify', '--target', url], {
    cwd: folder,
    env: { BANKING_API_USERNAME: username, BANKING_API_PASSWORD: password },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
  expect(stdout).toMatch(/^INTERRUPTED: /);
  expect(lines(stderr).at(-1)).toContain('exit 130');
});

test('D8: no secret leaves the process in a report, message or file, wherever the target puts it', async () => {
  const secrets = () => [CREDENTIALS.password, ...tokens(), 'PLANTED-card-token-4711', 'PLANTEDsignature'];
  let tokens = (): readonly string[] => [];
  const target = await sandbox({
    bodies: {
      // The secret returns as a field name, as a value of the wrong type, and in a header.
      'GET /wallet/api/customers/c-1/cards/k-4': {
        ...CARD,
        [`x ${CREDENTIALS.password}`]: 1,
        cardLimitDaily: CREDENTIALS.password,
      },
    },
    fault: ({ path, authorization }, response) => {
      if (path.includes('/iam/api/customers/c-1/client/') && authorization.startsWith('Bearer ey')) {
        return json(
          response,
          200,
          { echoed: authorization },
          { deprecation: authorization, sunset: CREDENTIALS.password.replace(/[^ -~]/g, '') },
        );
      }
      if (path.endsWith('/account/fees/GBP') && authorization.startsWith('Bearer ey')) {
        return json(response, 500, { error: `no ${authorization} ${CREDENTIALS.password}` });
      }
      return false;
    },
  });
  const sent = () => target.seen.map(({ authorization }) => authorization.replace('Bearer ', ''));
  // This includes the four forged tokens.
  tokens = () => [...new Set(sent().filter((bearer) => bearer.startsWith('ey')))];
  const { stdout, stderr } = await command(
    ['verify', '--target', target.url, '--report', 'json', '--report', 'text=r.txt', '--probe'],
    { isTTY: true },
  );
  const written = await readFile(join(folder, 'r.txt'), 'utf8');
  expect(tokens().filter((bearer) => !target.tokens.includes(bearer))).toHaveLength(4);
  const forms = secrets().flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(`${CREDENTIALS.username}:${secret}`).toString('base64'),
  ]);
  for (const form of forms) {
    for (const artefact of [stdout, stderr, written]) expect(artefact.includes(form), form).toBe(false);
  }
});
