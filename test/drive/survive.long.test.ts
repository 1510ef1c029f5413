import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { LOSSES } from '../../src/drive/losses.ts';
import { fakeIo } from '../cli/io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { surviveAll, WRITERS } from './writers.ts';

/** The first run of a program makes this folder. */
const FIRST = join(await temporaryFolder(), 'first');

/** Programs and clocks are real here, and each run waits for one answer, at most ten seconds late. */
const REAL = { timeout: 300_000 };

async function survived(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ env: process.env });
  const code = await run(['survive', ...args], io);
  return { code, out: io.out().replace(/\s+/g, ' '), err: io.err() };
}

/**
 * The start of every program below: `post(body, headers)` issues a card, `list()` reads the cards. It gives up after
 * a second.
 */
const PRELUDE = `
  const { BANKING_API_BASE_URL: base, BANKING_API_USERNAME: user, BANKING_API_PASSWORD: password } = process.env;
  const { access_token: token } = await fetch(base + '/iam/oauth/token', {
    method: 'POST',
    headers: { authorization: 'Basic ' + btoa(user + ':' + password) },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  }).then((answer) => answer.json());
  const authorization = 'Bearer ' + token;
  const post = async (body, more) => {
    const headers = { authorization, 'content-type': 'application/json', ...more };
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(1000) };
    const answer = await fetch(base + '/wallet/api/customers/c1/cards', init);
    await answer.text();
    if (!answer.ok) throw new Error('status ' + answer.status);
  };
  const list = async () => {
    const answer = await fetch(base + '/wallet/api/customers/c1/clients/client-2001/cards', { headers: { authorization } });
    return answer.text();
  };`;
const program = (code: string): string[] => ['--', process.execPath, '--input-type=module', '-e', PRELUDE + code];
const TWICE = `const order = { alias: 'Trip', cardDesign: 'blue' };
  const send = () => post(order, { 'x-order': 'order-17' });
  await send().catch(send).catch(() => { process.exitCode = 1; });`;

describe('survive', () => {
  test(
    'survive exits with 1 if an act is done twice, and the last line has the operation and counts',
    REAL,
    async () => {
      const { code, out, err } = await survived('--report', 'json', ...program(TWICE));
      expect(code).toBe(1);
      expect(err.trimEnd().split('\n').at(-1)).toBe(
        'banking-api survive: exit 1 (issueNewCard: intended 1, sent 2, done 2)',
      );
      const report = JSON.parse(out);
      expect(report).toMatchObject({
        command: 'survive',
        verdict: 'drift',
        findings: [{ rule: 'write-done-twice', severity: 'warning' }],
      });
      expect(report.findings[0].message).toContain('Intended 1, sent 2, done 2, the program reported success.');
      expect(report.findings[0].reference).toBe('RFC 9110, 9.2.2');
      expect(report.checks.map(({ id }: { id: string }) => id)).toEqual(
        LOSSES.map(({ id }) => `survive.issueNewCard-1-${id}`),
      );
      expect(out).not.toMatch(/drive-[0-9a-f]{8}|eyJ/);
    },
  );

  test('survive passes a program that checks before it repeats, for every loss', REAL, async () => {
    const { code, out } = await survived(
      ...program(`const order = { alias: 'Trip to ' + 'Oslo', cardDesign: 'blue' };
        const isThere = async () => (await list()).includes('Trip to Oslo');
        const later = () => new Promise((resolve) => setTimeout(resolve, 1500));
        await post(order).catch(later).then(async () => { if (!(await isThere())) await post(order); })
          .catch(() => { process.exitCode = 1; });`),
    );
    expect(out).toMatch(/write-done-twice +kept +8 intended writes, 8 done once at most/);
    expect(out).toMatch(/write-outcome-not-looked-up +kept/);
    expect(code).toBe(0);
  });

  test('survive finds a program that reports success without an effect', REAL, async () => {
    const { code, out } = await survived(...program(`await post({ alias: 'Trip' }).catch(() => {});`));
    expect(out).toContain('Issue new card was not done, and the program said success.');
    expect(out).toContain('Intended 1, sent 1, done 0, the program reported success.');
    expect(code).toBe(1);
  });

  test("survive reads the intent from a header, and the program's result from the outcome command", REAL, async () => {
    const outcome = `echo '{"intent":"order-17","said":"failed"}'`;
    const code = TWICE.replace("alias: 'Trip'", "alias: 'Trip at ' + Date.now()");
    const found = await survived('--intent-key', 'header:x-order', '--outcome', outcome, ...program(code));
    expect(found.out).toMatch(/write-done-twice +broken/);
    expect(found.out).toContain('Issue new card was done, and the program said failure.');
    expect(found.code).toBe(1);
    const lenient = await survived('--intent-key', 'json:/cardDesign', '--fail-on', 'error', ...program(code));
    expect(lenient.err).toMatch(/exit 0 \(KEEPS THE RULES, BUT 1 warning/);
  });

  test.each([
    ['writes nothing', 'await list();', 'The program sends no write that the mock can carry out.'],
    [
      'writes more in some runs',
      `await post({ alias: 'A' });
       const { mkdir } = await import('node:fs/promises');
       await mkdir(${JSON.stringify(FIRST)}).then(() => post({ alias: 'only in the first run' }), () => {});`,
      'has no partner',
    ],
    [
      'fails in normal traffic',
      `await post({ alias: 'A' }); process.exitCode = 3;`,
      'The program exited with 3 although',
    ],
  ])('survive exits with 4 for a program that %s', REAL, async (_, code, reason) => {
    const { code: exit, out } = await survived(...program(code));
    expect(out).toContain(reason);
    expect(exit).toBe(4);
  });

  test.each([[[]], [['journal.ndjson']], [['--outcome', 'x', '--', 'y']], [['--intent-key', 'query:a', '--', 'y']]])(
    '%j is a usage error',
    async (args) => {
      expect((await survived(...args)).code).toBe(2);
    },
  );

  test('an interruption ends the program and the run with 130', REAL, async () => {
    const io = fakeIo({ env: process.env, signal: AbortSignal.timeout(1_500) });
    expect(await run(['survive', ...program('setInterval(() => {}, 1000);')], io)).toBe(130);
  });
});

describe('a sample of the corpus of writers', () => {
  const sample = WRITERS.filter(({ name }) => ['got', 'axios-retry', 'curl-all-errors'].includes(name));
  beforeAll(() => expect(sample).toHaveLength(3));
  test.each(sample.map((writer) => [writer.name, writer] as const))('%s', REAL, async (_, writer) => {
    const { rules } = await surviveAll(writer);
    expect(rules).toEqual(writer.isSafe ? [] : ['write-done-twice']);
  });
});
