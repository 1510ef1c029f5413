import { describe, test } from 'vitest';
import { LOSSES } from '../../src/drive/losses.ts';
import { survive, surviveChecks } from '../../src/drive/survive.ts';
import { isHere } from '../audit/corpus/programs.ts';
import { surviveAll, WRITERS } from './writers.ts';

const required = process.env.BANKING_API_TESTS_REQUIRE === 'all';

// the programs mostly wait
describe.concurrent('the corpus of writers: unsafe programs are found by their rule, safe ones give no finding', () => {
  for (const writer of WRITERS) {
    test.skipIf(!required && !isHere(writer))(`${writer.name}`, { timeout: 300_000, retry: 1 }, async ({ expect }) => {
      const { rules } = await surviveAll(writer);
      expect(rules).toEqual(writer.isSafe ? [] : ['write-done-twice']);
    });
  }
});

const MANY = `const { BANKING_API_BASE_URL: base, BANKING_API_USERNAME: user, BANKING_API_PASSWORD: password } = process.env;
  const basic = 'Basic ' + Buffer.from(user + ':' + password).toString('base64');
  const asked = { method: 'POST', headers: { authorization: basic }, body: new URLSearchParams({ grant_type: 'client_credentials' }) };
  const { access_token } = await (await fetch(base + '/iam/oauth/token', asked)).json();
  const headers = { authorization: 'Bearer ' + access_token, 'content-type': 'application/json' };
  const send = async (method, path, body) => {
    const answer = await fetch(base + '/wallet/api/customers/cust-1001/cards' + path, { method, headers, ...(body && { body }) });
    await answer.text();
    if (!answer.ok) process.exit(1);
  };
  for (let i = 0; i < 14; i++) await send('POST', '', JSON.stringify({ alias: 'n' + i, cardDesign: 'blue' }));
  await send('DELETE', '/card-4001');`;

test('with many writes each operation is tried, and the report names the rest', { timeout: 300_000 }, async ({
  expect,
}) => {
  const signal = AbortSignal.timeout(200_000);
  const command = [process.execPath, '--input-type=module', '-e', MANY];
  const survived = await survive({ command, env: process.env, cwd: process.cwd(), timeout: 60, signal });
  const checks = surviveChecks(survived, { findings: [] });
  expect(checks.filter(({ id }) => id.startsWith('survive.deleteCard-1-'))).toHaveLength(LOSSES.length);
  expect(checks.filter(({ outcome }) => outcome === 'skipped')).toMatchObject([
    { id: 'survive.untried', reason: '3 of 15 writes were not disturbed (issueNewCard 3).' },
  ]);
  expect(checks[0]?.reason).toBe(
    'intent: issueNewCard #1 by /alias. issueNewCard: intended 14, sent 1, done 1; deleteCard: intended 1, sent 0, done 0. The program exited with 1.',
  );
});
