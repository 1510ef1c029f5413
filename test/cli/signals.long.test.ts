import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import { JournalBuilder } from '../audit/journal-builder.ts';
import { CREDENTIALS, PARAMETERS, startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** An 8 MB list of items without common members: every finding is about a place that occurs once. */
const STRANGE = `[${Array.from({ length: 60_000 }, (_, index) => `{"id":"${index}","k${index}a":{"k${index}b":[${index}]},"k${index}c":"${'x'.repeat(60)}"}`).join(',')}]`;

interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  said(): string;
}

async function start(folder: string, ...argv: string[]): Promise<Running> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    BANKING_API_USERNAME: CREDENTIALS.username,
    BANKING_API_PASSWORD: CREDENTIALS.password,
  };
  const child = spawn(process.execPath, [join(packageRoot, 'bin/banking-api.js'), ...argv], { cwd: folder, env });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  return { child, folder, said: () => said };
}

/** Sends the signal; returns the time until the end and the exit code. */
async function ended({ child }: Running, signal: NodeJS.Signals): Promise<{ code: number | null; seconds: number }> {
  if (child.exitCode !== null) return { code: child.exitCode, seconds: 0 };
  const started = performance.now();
  child.kill(signal);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, seconds: (performance.now() - started) / 1000 };
}

const SOON = 30;

async function hostileSandbox() {
  let last = Infinity;
  let answered = 0;
  const sandbox = await startSandbox({
    fault: ({ path }, response) => {
      if (path.includes('/oauth/token')) return undefined;
      response.setHeader('content-type', 'application/json');
      response.end(STRANGE, () => {
        last = performance.now();
        answered += 1;
      });
      return true;
    },
  });
  /** All requests were answered a while ago: the answers are being judged. */
  const isJudged = (): boolean => answered > 2 && performance.now() - last > 700;
  return { sandbox, isJudged, answered: () => answered };
}

/** Each signal ends some command. All commands share one handler, and these tests are slow. */
test.each([
  ['SIGTERM', 'verify', 'the first answers'],
  ['SIGINT', 'verify', 'the judging'],
  ['SIGHUP', 'record', 'the first answers'],
  ['SIGTERM', 'record', 'the judging'],
] as const)(
  '%s ends %s soon during %s of a hostile target, and it reports its results so far',
  async (signal, command, moment) => {
    const { sandbox, isJudged, answered } = await hostileSandbox();
    await using _ = sandbox;
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'config.yaml'), `parameters: ${JSON.stringify(PARAMETERS)}\n`);
    const kept = command === 'verify' ? ['--report', 'json=report.json', '--report', 'text'] : ['--out', 'out.yaml'];
    const run = await start(folder, command, '--target', sandbox.url, '--config', 'config.yaml', ...kept);
    const isThere = (): boolean => (moment === 'the judging' ? isJudged() : answered() > 0);
    await expect.poll(() => isThere() || run.child.exitCode !== null, { timeout: 60_000, interval: 50 }).toBe(true);
    const { code, seconds } = await ended(run, signal);
    expect(seconds, run.said()).toBeLessThan(SOON);
    // a run that had already ended reports its findings
    expect([130, 1, 4], run.said()).toContain(code);
    if (command === 'verify') {
      const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
      expect([report.exitCode, report.checks.length > 0]).toEqual([code, true]);
    }
  },
  120_000,
);

test('SIGTERM ends proxy soon while hostile answers are judged', async () => {
  const { sandbox } = await hostileSandbox();
  await using _ = sandbox;
  const folder = await temporaryFolder();
  const argv = `proxy --target ${sandbox.url} --port 0 --report json=report.json --journal j.ndjson`;
  const run = await start(folder, ...argv.split(' '));
  await expect.poll(() => /http:\/\/127\.0\.0\.1:\d+/.test(run.said()), { timeout: 30_000 }).toBe(true);
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(run.said().slice(run.said().lastIndexOf('http://127.0.0.1'))) ?? [];
  const asked = Array.from({ length: 4 }, () =>
    fetch(`${url}/wallet/api/customers/c-1/client/cl-2/cards`, { headers: { authorization: 'Bearer x' } })
      .then((response) => response.text())
      .catch(() => ''),
  );
  await Promise.race(asked);
  const { code, seconds } = await ended(run, 'SIGTERM');
  expect(seconds, run.said()).toBeLessThan(SOON);
  expect([0, 1], run.said()).toContain(code);
  await Promise.all(asked);
}, 120_000);

test('SIGINT ends audit soon while it judges a long journal, with a report', async () => {
  const folder = await temporaryFolder();
  const entries = new JournalBuilder(await loadContract()).token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
  const [token, call] = entries.entries();
  const line = JSON.stringify(call);
  const lines = Array.from({ length: 200_000 }, (_, index) => line.replace('"seq":2', `"seq":${index + 2}`));
  await writeFile(join(folder, 'long.ndjson'), `${JSON.stringify(token)}\n${lines.join('\n')}\n`);
  const run = await start(folder, 'audit', 'long.ndjson', '--report', 'json=report.json');
  await expect.poll(() => /Checking 200001/.test(run.said()), { timeout: 60_000, interval: 20 }).toBe(true);
  const { code, seconds } = await ended(run, 'SIGINT');
  expect(seconds, run.said()).toBeLessThan(SOON);
  expect(code, run.said()).toBe(130);
  expect(run.said()).toMatch(/Interrupted: \d+ of \d+ rules were not checked/);
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(report.exitCode).toBe(130);
  expect(report.rules.at(-1)).toMatchObject({
    outcome: 'not-exercised',
    evidence: expect.stringMatching(/interrupted/),
  });
}, 60_000);

/** A recording of one answer with very many fields. */
function wideRecording(prefix: string): string {
  const fields = Array.from({ length: 30_000 }, (_, index) => `                ${prefix}${index}: { type: string }`);
  return `overlay: 1.0.0
info: { title: Wide, version: "1" }
x-provenance: observed
actions:
  - target: $.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses
    update:
      "200":
        description: Observed.
        content:
          application/json:
            schema:
              type: object
              properties:
${fields.join('\n')}
`;
}

/** Every command that loads a contract. */
const LOADING: readonly (readonly string[])[] = [
  ['spec'],
  ['lint'],
  ['generate', '--out', 'generated'],
  ['audit', 'journal.ndjson'],
  ['audit', '--drive', '--', process.execPath, '--version'],
  ['verify', '--target', 'mock'],
  ['record', '--target', 'http://127.0.0.1:9', '--out', 'out.yaml'],
  ['proxy', '--target', 'http://127.0.0.1:9', '--port', '0'],
  ['mock', '--port', '0'],
];

test.each(LOADING)(
  'SIGTERM ends %s soon while it loads wide overlays',
  async (...argv) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'before.yaml'), wideRecording('a'));
    await writeFile(join(folder, 'after.yaml'), wideRecording('b'));
    await writeFile(join(folder, 'journal.ndjson'), '');
    const [command = '', ...rest] = argv;
    const run = await start(folder, command, '--overlay', 'before.yaml', '--overlay', 'after.yaml', ...rest);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(run.child.exitCode, run.said()).toBe(null);
    const { code, seconds } = await ended(run, 'SIGTERM');
    expect(seconds, run.said()).toBeLessThan(SOON);
    expect(code, run.said()).toBe(['mock', 'proxy'].includes(command) ? 0 : 130);
  },
  60_000,
);

test('SIGHUP ends diff soon while it compares hostile recordings, with a report', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'before.yaml'), wideRecording('a'));
  await writeFile(join(folder, 'after.yaml'), wideRecording('b'));
  const run = await start(folder, 'diff', 'before.yaml', 'after.yaml', '--report', 'json=report.json');
  await new Promise((resolve) => setTimeout(resolve, 3500));
  const { code, seconds } = await ended(run, 'SIGHUP');
  expect(seconds, run.said()).toBeLessThan(SOON);
  expect([0, 130], run.said()).toContain(code);
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(report.exitCode).toBe(code);
}, 60_000);
