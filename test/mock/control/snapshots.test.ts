import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { ask, type Told } from '../support/ask.ts';
import { bearer, send } from '../support/client.ts';
import { mockOfFile } from '../support/started.ts';

const WALLET = '/wallet/api/customers/cust-1001';
const CARD = `${WALLET}/cards/card-4001`;
const mock = await mockOfFile();
const quick = (method: string, path: string, body?: unknown, to = mock): Promise<Told> =>
  ask(to, method, `/__mock${path}`, body);
const readCard = async (to = mock): Promise<Record<string, unknown>> =>
  (await send(to, { path: CARD, headers: { authorization: await bearer(to) } })).json();
const suspend = async (): Promise<unknown> =>
  send(mock, { method: 'PUT', path: `${CARD}/suspend`, headers: { authorization: await bearer(mock) } });

test('a snapshot brings back records, scenarios and clock, and survives a reset', async () => {
  await suspend();
  await mock.scenario('latency-fixed');
  mock.clock.set('2031-05-01T00:00:00Z');
  const before = await readCard();
  expect((await quick('PUT', '/snapshots/my%20state')).status).toBe(204);
  await mock.reset();
  expect((await readCard()).status).toBe('ACTIVE');
  expect((await quick('GET', '/snapshots')).body.names).toEqual(['my state']);
  // a record that the snapshot does not have
  const made = { cardId: 'card-late' };
  expect((await quick('POST', '/state/cards?customerId=cust-1001', made)).status).toBe(201);
  expect((await quick('POST', '/snapshots/my%20state')).status).toBe(204);
  expect(await readCard()).toEqual(before);
  expect((await quick('GET', '/state/cards/card-late?customerId=cust-1001')).status).toBe(404);
  expect(new Date(mock.clock.now()).getUTCFullYear()).toBe(2031);
  expect((await quick('GET', '/health')).body.scenarios).toEqual(['latency-fixed']);
  expect((await quick('DELETE', '/snapshots/my%20state')).status).toBe(204);
  expect((await quick('POST', '/snapshots/my%20state')).status).toBe(404);
});

test('a shown snapshot has no secrets, and another mock can use it', async () => {
  const secret = mock.credentials.password;
  await mock.scenario({
    name: 'told',
    rules: [{ operations: ['getAccounts'], answer: { status: 409, body: { secret } } }],
  });
  await suspend();
  await quick('PUT', '/snapshots/a');
  const seed = (await quick('GET', '/seed?format=json')).text;
  const { text, body } = await quick('GET', '/snapshots/a');
  const { records } = (await quick('GET', '/state?customerId=cust-1001')).body as {
    records: Record<string, Record<string, unknown>[]>;
  };
  expect(JSON.stringify(records)).toContain('[redacted');
  expect(text).not.toContain(secret);
  expect(body.state).toHaveProperty('cust-1001');
  // every text of the state that output masks
  const masked = Object.values(records).flatMap((list) =>
    list.flatMap((record) => Object.keys(record).filter((name) => /redacted/.test(String(record[name])))),
  );
  expect(masked.length).toBeGreaterThan(0);
  const values = masked.flatMap((name) =>
    [...seed.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, one]) => one),
  );
  expect(values.filter((one) => text.includes(String(one)))).toEqual([]);
  await using other = await startMock();
  expect((await quick('PUT', '/snapshots/b', body, other)).status).toBe(204);
  expect((await readCard(other)).status).toBe('ACTIVE');
  expect((await quick('POST', '/snapshots/b', undefined, other)).status).toBe(204);
  expect((await readCard(other)).status).toBe('SUSPENDED');
});

test('the current snapshot has no secrets in answers of scenarios, and saves nothing', async () => {
  const issued = (await bearer(mock)).slice(7);
  const body = { securityCode: 4711, secret: mock.credentials.password, note: `Bearer ${issued}`, amount: 5 };
  const operations = ['getCard'];
  const token = { refuse: 'expired', which: 'first' } as const;
  await mock.scenario({
    name: 'told',
    rules: [
      { operations, token },
      { operations, answer: { status: 409, body } },
    ],
  });
  const names = (await quick('GET', '/snapshots')).body.names;
  const { text, body: shown } = await quick('GET', '/snapshot');
  const [refusing, answering] = shown.scenarios.find(({ name }: { name: string }) => name === 'told').rules;
  expect(refusing.token).toEqual(token);
  expect(answering.answer).toMatchObject({ status: 409, body: { amount: 5, securityCode: 0 } });
  for (const secret of ['4711', mock.credentials.password, issued]) expect(text).not.toContain(secret);
  expect((await quick('GET', '/snapshots')).body.names).toEqual(names);
  await mock.reset();
});

test('a snapshot with many records comes back', async () => {
  await using rich = await startMock({ seedData: 'rich' });
  await quick('PUT', '/snapshots/a', undefined, rich);
  const path = '/state?customerId=cust-1001';
  const before = (await quick('GET', path, undefined, rich)).text;
  await quick('DELETE', '/state/cards/card-4001?customerId=cust-1001', undefined, rich);
  expect((await quick('POST', '/snapshots/a', undefined, rich)).status).toBe(204);
  const sorted = (text: string): string[] => text.split(/[{}]/).sort();
  expect(sorted((await quick('GET', path, undefined, rich)).text)).toEqual(sorted(before));
});

test.for([
  ['an unknown scenario rule', { scenarios: [{ name: 'x', rules: [{ fault: { kind: 'bang' } }] }] }],
  ['an unknown field', { state: { 'cust-1001': { cards: [{ nonsense: 1 }] } } }],
  ['a state that is no object', { state: { 'cust-1001': [] } }],
  ['an unknown member', { token: 'x' }],
])('a snapshot is checked before it is saved: %s', async ([, body]) => {
  const { status, body: told } = await quick('PUT', '/snapshots/wrong', body);
  expect(status).toBe(422);
  expect(told.errors).not.toEqual([]);
  expect((await quick('GET', '/snapshots')).body.names).not.toContain('wrong');
});

test.for([
  ['an answer', { answer: { status: 502, body: '<script>1</script>', type: 'text/html' } }],
  ['a rewritten type', { rewrite: { type: 'text/html' } }],
] as const)('a browser runs no script in an answer of a scenario: %s', async ([, effect]) => {
  await mock.scenario({ name: 'page', rules: [{ operations: ['getCard'], ...effect }] });
  const { headers } = await send(mock, { path: CARD, headers: { authorization: await bearer(mock) } });
  expect(headers['content-type']).toBe('text/html');
  expect(headers['content-security-policy']).toBe('sandbox');
  await mock.reset();
});
