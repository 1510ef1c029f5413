import { access, readFile, writeFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test, vi } from 'vitest';
import type { AuditRuleId } from '../../src/audit/rules.ts';
import { run } from '../../src/cli/run.ts';
import { createTokenProvider, withToken } from '../../src/client/client.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { createJournalWriter } from '../../src/journal/write.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { fakeIo } from '../cli/io.ts';
import { serveOnLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BAD_HABITS } from './habits.ts';
import { CARD, CARDS, JournalBuilder } from './journal-builder.ts';

let contract: Contract;
contract = await loadContract();
const folder = await temporaryFolder();

async function audit(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd: folder, env: process.env });
  const code = await run(['audit', ...args], io);
  return { code, out: io.out(), err: io.err() };
}

async function write(name: string, rule: AuditRuleId, habit: string): Promise<string> {
  const journal = new JournalBuilder(contract);
  BAD_HABITS[rule][habit]?.(journal);
  const text = journal.entries().map((entry) => `${JSON.stringify(entry)}\n`);
  await writeFile(join(folder, name), text.join(''));
  return name;
}

describe('audit of a journal', () => {
  test('audit exits with 1 for findings, and prints the score card and evidence', async () => {
    const { code, out, err } = await audit(
      await write('gives-up.ndjson', 'unauthorized-not-retried', 'gives up on a 401'),
    );
    expect(code).toBe(1);
    expect(out).toMatch(/unauthorized-not-retried +broken/);
    expect(out).toMatch(/token-missing +kept/);
    expect(out).toMatch(/refresh-loop +not exercised/);
    expect(out).toContain('#2 at 10:00:00.050 (401)');
    expect(err).toContain('exit 1 (findings)');
  });

  test('a warning fails the audit only if --fail-on includes warnings', async () => {
    const file = await write('deprecated.ndjson', 'deprecated-operation-called', 'calls a deprecated fee operation');
    const agrees = await audit(file, '--report', 'json');
    // a failed check in a passing run would be red in the test view of CI
    expect([agrees.code, JSON.parse(agrees.out).checks[0].outcome]).toEqual([0, 'passed']);
    expect((await audit(file)).out).toContain('KEEPS THE RULES, BUT 1 warning (deprecated-operation-called in ');
    expect(agrees.err).toMatch(/exit 0 \(KEEPS THE RULES, BUT 1 warning/);
    const { code, out } = await audit(file, '--fail-on', 'warning', '--report', 'json');
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ command: 'audit', target: { kind: 'journal' }, exitCode: 1, verdict: 'drift' });
    expect(report.rules).toContainEqual({
      rule: 'deprecated-operation-called',
      outcome: 'broken',
      evidence: '1 call, 0 of operations that are not deprecated',
    });
    expect(report.callers).toEqual([{ name: 'test', connections: 1, exchanges: 2 }]);
    expect(report.findings[0].expected).toContain('POST in place of GET');
  });

  test('audit exits with 0 for our token client and the journal of a running mock', async () => {
    const file = join(folder, 'mock.ndjson');
    const journal = createJournalWriter(file);
    await using mock = await startMock({ onExchange: journal.append });
    const api = withToken(
      (url, init) => fetch(url, init),
      createTokenProvider({ baseUrl: mock.url, ...mock.credentials }),
    );
    await Promise.all([1, 2, 3, 4].map(() => api(`${mock.url}${CARD}`)));
    mock.tokens.revokeAll();
    await Promise.all([1, 2, 3, 4].map(() => api(`${mock.url}${CARD}`)));
    await journal.close();
    const { code, out } = await audit('mock.ndjson', '--fail-on', 'info');
    expect(out).toContain('AGREES: no findings.');
    expect(code).toBe(0);
  });

  test('audit exits with 4 if there is nothing to judge', async () => {
    await writeFile(join(folder, 'empty.ndjson'), '');
    const { code, out } = await audit('empty.ndjson');
    expect(code).toBe(4);
    expect(out).toContain('INCONCLUSIVE');
  });

  test('audit exits with 2 and a place for a file that is not a journal', async () => {
    await writeFile(join(folder, 'broken.ndjson'), '{"v":1}\n');
    const { code, err } = await audit('broken.ndjson');
    expect(code).toBe(2);
    expect(err).toContain('broken.ndjson:1');
    expect((await audit('missing.ndjson')).code).toBe(2);
  });
});

test('--intent-key finds a write that was sent again with a fresh reference', async () => {
  const journal = new JournalBuilder(contract);
  journal.token({ at: 0, gives: 'T1' });
  for (const number of [1, 2]) {
    const headers = [['x-order', 'order-7']] as const;
    const json = { alias: `reference ${number}`, currency: 'EUR' };
    journal.call({ at: number * 300, method: 'POST', path: CARDS, json, headers, gone: number === 1 });
  }
  const lines = journal.entries().map((entry) => `${JSON.stringify(entry)}\n`);
  await writeFile(join(folder, 'writes.ndjson'), lines.join(''));
  const broken = /write-done-twice +broken +1 intended write, 0 done once at most/;
  expect((await audit('writes.ndjson')).out).toMatch(/write-done-twice +kept/);
  expect((await audit('writes.ndjson', '--intent-key', 'header:X-Order')).out).toMatch(broken);
  const { code, out } = await audit('writes.ndjson', '--intent-key', 'json:/currency', '--fail-on', 'warning');
  expect(code).toBe(1);
  expect(out).toMatch(broken);
  expect(out.replace(/\s+/g, ' ')).toContain(
    'although its answer was lost, so it may have been done twice. 2 requests for 1 intent.',
  );
});

test.each([
  [[]],
  [['a.ndjson', '--drive', '--', 'x']],
  [['a.ndjson', 'b.ndjson']],
  [['--drive']],
  [['a.ndjson', '--', 'x']],
  [['a.ndjson', '--timeout', '3']],
  [['a.ndjson', '--callers', 'three']],
  [['a.ndjson', '--intent-key', 'alias']],
  [['--drive', '--callers', 'by-connection', '--', 'x']],
  [['--mock', 'nowhere']],
  [['--drive', '--', 'no-such-program']],
])('%j is a usage error', async (args) => {
  expect((await audit(...args)).code).toBe(2);
});

/** Sends one request over the agent's single connection; returns its body. */
function askOver(
  agent: Agent,
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'user-agent': 'ten', ...options.headers };
    const asked = request(url, { ...options, agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += String(chunk);
      });
      answer.on('end', () => resolve(text));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

describe('audit --mock', () => {
  test('audit --mock fetches the journal from the control API', async () => {
    const journal = new JournalBuilder(contract);
    journal.token({ at: 0, gives: 'T1' }).call({ at: 50, method: 'PATCH', status: 405 });
    const text = journal
      .entries()
      .map((entry) => JSON.stringify(entry))
      .join('\n');
    await using server = await serveOnLoopback(({ path }, response) =>
      path === '/__mock/journal' ? response.end(text) : response.writeHead(404).end(),
    );
    const { code, out } = await audit('--mock', server.url);
    expect(out).toContain('unknown-operation');
    expect(code).toBe(1);
  });

  test('a running mock and a journal file give the same verdict: an abandoned 401', async () => {
    const file = join(folder, 'given-up.ndjson');
    const journal = createJournalWriter(file);
    await using mock = await startMock({ onExchange: journal.append });
    const { value } = await createTokenProvider({ baseUrl: mock.url, ...mock.credentials }).getToken();
    mock.refuseNext(1);
    await fetch(`${mock.url}${CARD}`, { headers: { authorization: `Bearer ${value}` } });
    await journal.close();
    // by the mock's clock a minute has passed without another exchange
    mock.clock.advance(60);
    const live = await audit('--mock', mock.url);
    expect(live.out).toMatch(/unauthorized-not-retried +broken +1 response of 401, 0 retried/);
    expect(live.code).toBe(1);
    const entries = (await readFile(file, 'utf8')).replaceAll(/"(startedAt|endedAt)":"20\d\d/g, '"$1":"2020');
    await writeFile(file, entries);
    const recorded = await audit('given-up.ndjson');
    expect(recorded.out).toMatch(/unauthorized-not-retried +broken +1 response of 401, 0 retried/);
    expect(recorded.code).toBe(1);
  });

  test('--callers says whether ten parallel token requests on ten connections come from one program', async () => {
    const program = async (mock: Mock): Promise<void> => {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const agent = new Agent({ keepAlive: true, maxSockets: 1 });
          const { username, password } = mock.credentials;
          const token = await askOver(agent, `${mock.url}/iam/oauth/token`, {
            method: 'POST',
            auth: `${username}:${password}`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: 'grant_type=client_credentials',
          });
          const { access_token: value } = JSON.parse(token) as { access_token: string };
          await askOver(agent, `${mock.url}${CARD}`, { headers: { authorization: `Bearer ${value}` } });
          agent.destroy();
        }),
      );
    };
    // a clock that gives the order, independent of the load of this machine
    let now = Date.now();
    const clock = (): number => now++;
    await using mock = await startMock({ clock });
    await program(mock);
    const { code, out } = await audit('--mock', mock.url);
    expect(out).toMatch(/refresh-not-shared +not exercised +10 connections overlap: use --callers one or/);
    expect(out).toMatch(/callers +1: ten \(10 connections, 20 exchanges\)/);
    expect(code).toBe(0);
    expect((await audit('--mock', mock.url, '--callers', 'one')).out).toContain(
      'The caller requested several tokens at once',
    );
    const apart = await audit('--mock', mock.url, '--callers', 'by-connection', '--fail-on', 'info');
    expect(apart.out).not.toContain('refresh-not-shared  broken');
    expect(apart.out).toMatch(/callers +10: ten #1 \(1 connection, 2 exchanges\); ten #2/);
    await using own = await startMock({ callers: 'one', clock });
    await program(own);
    const report = JSON.parse((await audit('--mock', own.url, '--report', 'json')).out);
    expect(report.callers).toEqual([{ name: 'ten', connections: 10, exchanges: 20 }]);
    expect(report.findings.map(({ rule }: { rule: string }) => rule)).toEqual(['refresh-not-shared']);
    await using several = await startMock({ callers: 'by-connection', clock });
    await program(several);
    expect((await audit('--mock', several.url)).out).not.toContain('overlap');
  });

  test('a caller cannot know that the clock of its mock is moved by a day and back', async () => {
    await using mock = await startMock();
    const provider = createTokenProvider({ baseUrl: mock.url, ...mock.credentials });
    const api = withToken((url, init) => fetch(url, init), provider);
    for (const seconds of [0, 86_400, -86_400]) {
      mock.clock.advance(seconds);
      expect((await api(`${mock.url}${CARD}`)).status).toBe(404);
    }
    mock.clock.advance(60);
    const { code, out } = await audit('--mock', mock.url, '--fail-on', 'info');
    expect([code, out.split('\n')[0]]).toEqual([0, 'AGREES: no findings.']);
    expect(out).toMatch(/unauthorized-not-retried +kept/);
  });

  test('a full journal of a mock is judged, and the report says how many exchanges it lacks', async () => {
    await using mock = await startMock();
    const { value } = await createTokenProvider({ baseUrl: mock.url, ...mock.credentials }).getToken();
    const headers = { authorization: `Bearer ${value}` };
    const ask = () => mock.fetch(`${mock.url}${CARD}`, { headers });
    for (let i = 0; i < 1_001; i++) await ask();
    const words = 'the newest 1000 of 1002 exchanges since the last reset';
    expect((await audit('--mock', mock.url)).out).toContain(words);
    const card = await fetch(`${mock.url}/__mock/audit`);
    expect(await card.json()).toMatchObject({ exchanges: 1_000, notes: [expect.stringContaining(words)] });
  });

  test('the HAR export of a mock gives the same verdict as its journal', async () => {
    await using mock = await startMock({ callers: 'one' });
    const provider = createTokenProvider({ baseUrl: mock.url, ...mock.credentials });
    const api = withToken((url, init) => fetch(url, init), provider);
    await api(`${mock.url}${CARD}`);
    mock.tokens.revokeAll();
    await api(`${mock.url}${CARD}`);
    mock.clock.advance(60);
    const capture = await fetch(`${mock.url}/__mock/journal?format=har`);
    await writeFile(join(folder, 'mock.har'), await capture.text());
    const cardOf = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await audit(...args, '--report', 'json')).out).rules;
    expect(await cardOf('--from', 'mock.har')).toEqual(await cardOf('--mock', mock.url));
  });

  const refusal = { status: 401, at: 'token' as const };
  test.each([
    ['an answer that comes late', { delay: 1_500, answer: refusal }],
    ['an answer whose body comes slowly', { answer: refusal, fault: { kind: 'dribble' as const, over: 1_500 } }],
  ])('%s does not count if the caller did not wait for it', async (_, rule) => {
    const slow = { name: 'slow', rules: [rule] };
    await using mock = await startMock({ scenarios: [slow] });
    const { value } = await createTokenProvider({ baseUrl: mock.url, ...mock.credentials }).getToken();
    const headers = { authorization: `Bearer ${value}` };
    const signal = AbortSignal.timeout(300);
    await expect(fetch(`${mock.url}${CARD}`, { headers, signal }).then((one) => one.text())).rejects.toThrow();
    await vi.waitFor(
      () => expect(mock.journal.entries({}).at(-1)?.response).toMatchObject({ delivered: false }),
      20_000,
    );
    mock.clock.advance(60);
    expect((await audit('--mock', mock.url)).out).toMatch(/unauthorized-not-retried +not exercised/);
  });

  test('audit --mock explains what to do if the server has no journal', async () => {
    await using server = await serveOnLoopback((_, response) => response.writeHead(404).end('{}'));
    const { code, err } = await audit('--mock', server.url);
    expect(code).toBe(4);
    expect(err).toContain('--journal FILE');
    expect((await audit('--mock', 'http://127.0.0.1:9')).code).toBe(4);
  });

  test('audit --mock stops reading an endless journal', async () => {
    await using endless = await serveOnLoopback((_, response) =>
      pipeline(
        Readable.from(
          (function* () {
            for (const piece = Buffer.alloc(2 ** 20, 'x'); ; ) yield piece;
          })(),
        ),
        response,
      ).catch(() => {}),
    );
    const { code, err } = await audit('--mock', endless.url);
    expect(code).toBe(4);
    // a busy machine may not reach this point
    expect(err).toMatch(
      /__mock\/journal(?:: The line \(journal\) is larger than 64 MB| did not send a whole journal within)/,
    );
  }, 60_000);
});

test('audit --drive is inconclusive if the program sends nothing, and redacts its output', {
  timeout: 60_000,
}, async () => {
  const script = 'console.log("password is", process.env.BANKING_API_PASSWORD)';
  const { code, err, out } = await audit('--drive', '--', process.execPath, '-e', script);
  expect(code).toBe(4);
  expect(err).toContain('[1/16] normal traffic');
  expect(err).toContain('  | password is [redacted]');
  expect(err + out).not.toMatch(/drive-[0-9a-f]{8}/);
  expect(out).toContain('The program sent nothing to BANKING_API_BASE_URL');
});

test('an interruption ends audit --drive and its program with 130', { timeout: 60_000 }, async () => {
  const controller = new AbortController();
  const io = fakeIo({ cwd: folder, env: process.env, signal: controller.signal });
  const started = join(folder, 'started');
  const program = `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => {}, 1000)`;
  const ended = run(['audit', '--drive', '--', process.execPath, '-e', program], io);
  await vi.waitFor(() => access(started), { timeout: 30_000 });
  controller.abort('SIGINT');
  expect(await ended).toBe(130);
});
