import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { fakeIo } from '../cli/io.ts';
import { CARD, CREDENTIALS, json, type SandboxOptions, startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from './support.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

const CARD_PATH = '/wallet/api/customers/c-1/cards/k-4';
const BASIC = `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64')}`;

/** Runs the command in front of a sandbox until `work` is done, then interrupts it. */
async function session(
  args: readonly string[],
  sandbox: SandboxOptions,
  work: (url: string, err: () => string) => Promise<void>,
  over: Partial<Io> = {},
) {
  const target = await startSandbox(sandbox);
  open.push(target);
  const interruption = new AbortController();
  const cwd = over.cwd ?? (await temporaryFolder());
  const io = fakeIo({ cwd, signal: interruption.signal, ...over });
  const ended = run(['proxy', '--target', target.url, '--port', '0', ...args], io, commands);
  await until(() => /listens on (\S+)/.test(io.err()) || /exit \d/.test(io.err()), 15_000);
  const url = /listens on (\S+)/.exec(io.err())?.[1] ?? '';
  if (url !== '') await work(url, io.err);
  interruption.abort('SIGINT');
  return { code: await ended, io, cwd, target };
}

async function token(url: string): Promise<string> {
  const response = await fetch(`${url}/iam/oauth/token`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function getCard(url: string, bearer: string): Promise<void> {
  await (await fetch(`${url}${CARD_PATH}`, { headers: { authorization: `Bearer ${bearer}` } })).text();
}

const DRIFTING: SandboxOptions = {
  bodies: { [`GET ${CARD_PATH}`]: { ...CARD, cardLimitDaily: 'PLANTED-limit-4711' } },
};

describe('banking-api proxy', () => {
  test('proxy prints URL and target, then findings as they occur and the report, and exits with 0', async () => {
    let beforeTheEnd = '';
    const { code, io, target } = await session([], DRIFTING, async (url, err) => {
      await getCard(url, await token(url));
      await until(() => err().includes('type-contradicted'));
      beforeTheEnd = err();
    });
    expect(code).toBe(0);
    const [first] = io.err().split('\n');
    expect(first).toContain(`in front of ${target.url}; only reads pass`);
    expect(beforeTheEnd).toMatch(/^error +type-contradicted getCard \/cardLimitDaily: .*\(exchange 2\)$/m);
    expect(io.out()).toContain('type-contradicted');
    expect(io.out()).toMatch(/^DRIFT/);
    expect(io.err().trimEnd().split('\n').at(-1)).toBe('banking-api proxy: exit 0 (ok)');
  });

  test.each([
    [['--fail-on', 'error'], 1],
    [['--fail-on', 'info'], 1],
    [[], 0],
  ] as const)('%j exits with %i if a field contradicts the contract', async (args, wanted) => {
    const { code, io } = await session([...args, '--report', 'json'], DRIFTING, async (url) => {
      await getCard(url, await token(url));
    });
    expect(code).toBe(wanted);
    expect(JSON.parse(io.out())).toMatchObject({ command: 'proxy', exitCode: wanted, verdict: 'drift' });
  });

  test('--fail-on error exits with 0 if no finding is an error', async () => {
    const { code } = await session(['--fail-on', 'error'], {}, async (url) => getCard(url, await token(url)));
    expect(code).toBe(0);
  });

  test('proxy forwards the writes that the config permits, and no other writes', async () => {
    const cwd = await temporaryFolder();
    await writeFile(
      join(cwd, 'banking-api.config.yaml'),
      'allow: write\nwritesAllowedOn: ["127.0.0.1"]\nexpendable: []\n',
    );
    const statuses: number[] = [];
    const { target } = await session(
      [],
      {},
      async (url) => {
        const authorization = `Bearer ${await token(url)}`;
        for (const method of ['PUT', 'DELETE']) {
          const path = method === 'PUT' ? `${CARD_PATH}/suspend` : CARD_PATH;
          statuses.push((await fetch(url + path, { method, headers: { authorization } })).status);
        }
      },
      { cwd },
    );
    expect(statuses).toEqual([404, 403]);
    expect(target.seen.map(({ method }) => method)).toEqual(['POST', 'PUT']);
  });

  test('D8, M16: no secret appears in the journal, on stderr or in a report', async () => {
    const cwd = await temporaryFolder();
    const planted: string[] = [CREDENTIALS.password, BASIC.slice(6), String(CARD.token), 'PLANTED-answer'];
    const { io } = await session(
      ['--journal', 'j.ndjson', '--report', 'text', '--report', 'json=r.json'],
      {
        ...DRIFTING,
        fault: ({ path, authorization }, response) => {
          if (!path.startsWith('/echo')) return undefined;
          // the secret returns in an error, a header and a key
          return json(
            response,
            500,
            { error: authorization, [authorization]: authorization.slice(7) },
            { 'x-echo': authorization.slice(7) },
          );
        },
      },
      async (url) => {
        const bearer = await token(url);
        planted.push(bearer);
        await getCard(url, bearer);
        const headers = {
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          cookie: 'sid=PLANTED-answer',
        };
        await fetch(`${url}/echo?access_token=${bearer}&securityCode=PLANTED-answer`, { headers });
        await fetch(`${url}/echo/${bearer}`, { headers });
        const path = '/iam/api/customers/c-1/clients/cl-2/users/u-3/credentials/securityQuestions';
        await fetch(url + path, {
          method: 'POST',
          headers,
          body: '{"securityQuestions":[{"answer":"PLANTED-answer"}]}',
        });
        const opaque = 'opaque-PLANTED-token-value';
        planted.push(opaque);
        await fetch(`${url}/echo`, { headers: { authorization: `Bearer ${opaque}` } });
      },
      { cwd, env: { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password } },
    );
    const outputs = {
      journal: await readFile(join(cwd, 'j.ndjson'), 'utf8'),
      report: await readFile(join(cwd, 'r.json'), 'utf8'),
      stdout: io.out(),
      stderr: io.err(),
    };
    expect(outputs.journal.trim().split('\n').length).toBeGreaterThanOrEqual(6);
    // findings contain shapes; the journal keeps everything except secrets
    expect(outputs.report + outputs.stdout + outputs.stderr).not.toContain('PLANTED-limit-4711');
    for (const [name, text] of Object.entries(outputs)) {
      for (const secret of planted) expect(text.includes(secret), `${secret.slice(0, 12)} in ${name}`).toBe(false);
    }
  });

  test('D8: passing credentials are masked even if they are not in the environment', async () => {
    const cwd = await temporaryFolder();
    await session(
      ['--journal', 'j.ndjson'],
      {
        fault: ({ path }, response) =>
          path === '/why' && json(response, 403, { message: `no ${CREDENTIALS.password} here` }),
      },
      async (url) => {
        await token(url);
        await fetch(`${url}/why`);
      },
      { cwd },
    );
    const journal = await readFile(join(cwd, 'j.ndjson'), 'utf8');
    expect(journal).toContain('/why');
    expect(journal).not.toContain(CREDENTIALS.password);
  });

  test('--journal-shapes keeps types instead of values, and a continued journal keeps its numbers', async () => {
    const cwd = await temporaryFolder();
    const args = ['--journal', 'j.ndjson', '--journal-shapes'];
    const { cardDesign } = CARD;
    for (let each = 0; each < 2; each += 1) {
      await session(args, {}, async (url) => getCard(url, await token(url)), { cwd });
    }
    const journal = await readFile(join(cwd, 'j.ndjson'), 'utf8');
    const entries = journal
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; shapes?: boolean });
    expect(entries.map(({ seq, shapes }) => [seq, shapes])).toEqual([1, 2, 3, 4].map((seq) => [seq, true]));
    expect(journal).toContain('"cardDesign"');
    expect(journal).not.toContain(JSON.stringify(cardDesign));
  });

  test.each([
    [['--target', 'ftp://x'], '--target'],
    [[], 'No target is set'],
    [['--target', 'http://127.0.0.1:1', '--report', 'yaml'], 'no report format'],
    [['--target', 'http://127.0.0.1:1', '--fail-on', 'fatal'], '--fail-on'],
    [['--target', 'http://user:pass@127.0.0.1:1'], 'credentials'],
  ])('%j is a usage error with a clear message', async (args, message) => {
    const io = fakeIo({ cwd: await temporaryFolder() });
    expect(await run(['proxy', ...args], io, commands)).toBe(2);
    expect(io.err()).toContain(message);
  });

  test('a busy port prints one line and exits with 2', async () => {
    await session([], {}, async (url) => {
      const io = fakeIo({ cwd: await temporaryFolder() });
      const port = new URL(url).port;
      expect(await run(['proxy', '--target', url, '--port', port], io, commands)).toBe(2);
      expect(io.err()).toContain(`Port ${port}`);
    });
  });
});
