import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { fakeIo } from '../cli/io.ts';
import { doubling, entangled } from './nested.ts';

test.each(['spec', 'lint', 'generate --out generated'])(
  'F2: %s needs time proportional to the nested references',
  async (argv) => {
    const cwd = await doubling(40);
    const io = fakeIo({ cwd, signal: AbortSignal.timeout(60_000) });
    expect([0, 1], io.err()).toContain(await run([...argv.split(' '), '--contract', '.'], io));
  },
  90_000,
);

test('F2: a mock of nested references starts and answers', async () => {
  await using mock = await startMock({ listen: false, folder: await readContractFolder(await doubling(40)) });
  const body = JSON.stringify({ a: { a: { b: {} } } });
  const headers = { 'content-type': 'application/json' };
  expect((await mock.fetch('/weather', { method: 'POST', headers, body })).status).toBeLessThan(300);
  expect((await mock.fetch('/weather')).status).toBeLessThan(500);
}, 60_000);

test('F2: a strict mock names an unknown member at any depth of schemas that refer to each other', async () => {
  await using mock = await startMock({
    listen: false,
    strict: true,
    folder: await readContractFolder(await entangled()),
  });
  const inner = { id: 'c', wind: 1 };
  const body = JSON.stringify({ id: 'a', one0: { id: 'b', all1: [inner] } });
  const headers = { 'content-type': 'application/json' };
  const answer = await mock.fetch('/weather', { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    { errors: [{ in: 'body', pointer: '/one0/all1/0/wind' }] },
  ]);
}, 60_000);

test('F2: a mock of entangled references answers requests with Prefer, for which Prism finds the schema too complex', async () => {
  await using mock = await startMock({ listen: false, folder: await readContractFolder(await entangled()) });
  for (const prefer of ['code=200', 'dynamic=true']) {
    const answer = await mock.fetch('/weather', { headers: { prefer } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  }
  const refused = { method: 'POST', headers: { prefer: 'code=200', 'content-type': 'application/json' }, body: '{}' };
  expect((await mock.fetch('/weather', refused)).status).toBe(422);
  expect((await mock.fetch('/weather')).status).toBe(200);
}, 60_000);
