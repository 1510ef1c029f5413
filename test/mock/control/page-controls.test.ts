import { describe, expect, test } from 'vitest';
import { ask, type Told } from '../support/ask.ts';
import { control as overSocket } from '../support/control.ts';
import { mockOfFile } from '../support/started.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const CARDS_OF_CLIENT = '/wallet/api/customers/cust-1001/clients/client-2001/cards';
const mock = await mockOfFile({ anyToken: true });
const control = (method: string, path: string, body?: unknown): Promise<Told> =>
  ask(mock, method, `/__mock${path}`, body);
const statusOf = async (path: string): Promise<number> => (await ask(mock, 'GET', path)).status;
const activate = (body: object): Promise<Told> => control('POST', '/scenarios/active', body);
const active = async () => (await control('GET', '/scenarios/active')).body.active;

describe('a scenario with a scope', () => {
  test('a scoped scenario affects only its operations, and counts its hits', async () => {
    const scope = { operations: ['getCard'], times: 2 };
    expect((await activate({ name: 'server-down', scope })).status).toBe(201);
    expect(await statusOf(CARD)).toBeGreaterThanOrEqual(500);
    expect(await statusOf(CARDS_OF_CLIENT)).toBe(200);
    expect(await statusOf(CARD)).toBeGreaterThanOrEqual(500);
    expect(await statusOf(CARD)).toBe(200);
    expect(await active()).toMatchObject([{ hits: 2 }]);
  });

  test('a scoped scenario can affect a single tenant', async () => {
    await activate({ name: 'server-down', scope: { parameters: { customerId: 'someone-else' } } });
    expect(await statusOf(CARD)).toBe(200);
  });

  test('a scoped scenario keeps the limits of its own rules', async () => {
    const rules = [{ operations: ['getCard'], times: 1, answer: { status: 503 } }];
    const scope = { operations: ['getCard', 'listClientCards'], times: 5 };
    await activate({ definition: { name: 'mine', rules }, scope });
    expect(await active()).toMatchObject([{ definition: { rules } }]);
  });

  test('a scope that leaves no rule of the scenario is rejected', async () => {
    const none = await activate({ name: 'token-endpoint-down', scope: { operations: ['getCard'] } });
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('does not concern these operations')]);
  });

  test.each([
    { operations: [] },
    { operations: 'getCard' },
    { operations: ['noSuch'] },
    { times: 0 },
    { parameters: { a: 1 } },
    { more: 1 },
    [],
  ])('%j is not a valid scope and is rejected', async (scope) => {
    expect((await activate({ name: 'server-down', scope })).status).toBe(422);
    expect(await active()).toEqual([]);
  });

  test('the listed definition of a scoped scenario can be activated again', async () => {
    await activate({ name: 'rate-limited', scope: { times: 3 } });
    const [{ definition }] = await active();
    await control('DELETE', '/scenarios/active');
    expect((await activate({ definition })).status).toBe(201);
    expect(await active()).toMatchObject([{ definition }]);
    expect((await activate({ definition, name: 'rate-limited' })).status).toBe(422);
  });

  test('a scenario that only includes others is listed', async () => {
    const { scenarios } = (await control('GET', '/scenarios')).body;
    expect(scenarios).toContainEqual(expect.objectContaining({ name: 'bad-day', active: false }));
  });
});

describe('the webhook inbox', () => {
  const messages = async () => (await control('GET', '/webhooks/deliveries')).body.deliveries;

  test('the inbox receives signed events and shows no secret', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const registered = await control('POST', '/webhooks', { url: 'inbox:', secret });
    expect(registered.status).toBe(201);
    await control('POST', `/webhooks/${registered.body.id}/fire`, {});
    const [message] = await messages();
    expect(message.headers['webhook-signature']).toMatch(/^v1,/);
    expect(registered.text + JSON.stringify(message)).not.toContain(secret.slice(6));
  });

  test('a replay reaches the inbox under the id of its delivery', async () => {
    const { id: webhook } = (await control('POST', '/webhooks', { url: 'inbox:' })).body;
    const [{ id, body }] = (await control('POST', `/webhooks/${webhook}/fire`, {})).body.deliveries;
    const replayed = await control('POST', `/webhooks/deliveries/${id}/replay`, {});
    expect(replayed.body).toMatchObject({ deliveries: [{ id, outcome: 'delivered', body }] });
    const header = { headers: { 'webhook-id': id } };
    expect((await messages()).slice(0, 2)).toMatchObject([header, header]);
    expect((await control('POST', '/webhooks/deliveries/msg_none/replay', {})).status).toBe(404);
  });
});

test('credentials need the right to change something: a page needs the token of this start', async () => {
  expect((await control('GET', '/credentials')).body).toEqual(mock.credentials);
  const host = `127.0.0.1:${mock.port}`;
  const page = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
  expect((await overSocket(mock, 'GET', '/credentials', undefined, page)).status).toBe(403);
  const withToken = { ...page, 'x-mock-control-token': mock.controlToken };
  expect((await overSocket(mock, 'GET', '/credentials', undefined, withToken)).status).toBe(200);
});
