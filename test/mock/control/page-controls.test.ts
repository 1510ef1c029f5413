import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bearer, send } from '../support/client.ts';
import { control } from '../support/control.ts';
import { mockOfFile } from '../support/started.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const CLIENTS = '/wallet/api/customers/cust-1001/clients/client-2001/cards';
const mock = await mockOfFile();

async function statusOf(path: string): Promise<number> {
  return (await send(mock, { path, headers: { authorization: await bearer(mock) } })).status;
}

interface Active {
  readonly id: string;
  readonly hits: number;
  readonly definition: { readonly rules: readonly object[] };
}

async function activeOnes(): Promise<readonly Active[]> {
  return ((await control(mock, 'GET', '/scenarios/active')).json() as { active: Active[] }).active;
}

describe('a scenario that is turned on for a part of the requests', () => {
  test('concerns only the operations of its scope, and counts how often it came', async () => {
    const scope = { operations: ['getCard'], times: 2 };
    expect((await control(mock, 'POST', '/scenarios/active', { name: 'server-down', scope })).status).toBe(201);
    expect(await statusOf(CARD)).toBeGreaterThanOrEqual(500);
    expect(await statusOf(CLIENTS)).toBe(200);
    expect(await statusOf(CARD)).toBeGreaterThanOrEqual(500);
    expect(await statusOf(CARD)).toBe(200);
    expect((await activeOnes()).map(({ hits }) => hits)).toEqual([2]);
  });

  test('concerns only one tenant', async () => {
    await control(mock, 'POST', '/scenarios/active', {
      name: 'server-down',
      scope: { parameters: { customerId: 'someone-else' } },
    });
    expect(await statusOf(CARD)).toBe(200);
  });

  test('keeps the limits of its own rules', async () => {
    const definition = { name: 'mine', rules: [{ operations: ['getCard'], times: 1, answer: { status: 503 } }] };
    await control(mock, 'POST', '/scenarios/active', {
      definition,
      scope: { operations: ['getCard', 'listClientCards'], times: 5 },
    });
    const [one] = await activeOnes();
    expect(one?.definition.rules).toEqual([{ operations: ['getCard'], times: 1, answer: { status: 503 } }]);
  });

  test('is refused where none of its rules is left, and for what is no scope', async () => {
    const none = await control(mock, 'POST', '/scenarios/active', {
      name: 'token-endpoint-down',
      scope: { operations: ['getCard'] },
    });
    expect(none.status).toBe(422);
    expect(none.text).toContain('concerns none of these operations');
    for (const scope of [
      { operations: [] },
      { operations: 'getCard' },
      { times: 0 },
      { parameters: { a: 1 } },
      { more: 1 },
      [],
    ])
      expect(
        (await control(mock, 'POST', '/scenarios/active', { name: 'server-down', scope })).status,
        JSON.stringify(scope),
      ).toBe(422);
    expect(
      (await control(mock, 'POST', '/scenarios/active', { name: 'server-down', scope: { operations: ['noSuch'] } }))
        .status,
    ).toBe(422);
    expect(await activeOnes()).toEqual([]);
  });

  test('is a file that the mock takes again', async () => {
    const { id } = (
      await control(mock, 'POST', '/scenarios/active', { name: 'rate-limited', scope: { times: 3 } })
    ).json() as { id: string };
    const yaml = await control(mock, 'GET', `/scenarios/active/${id}/yaml`);
    expect(parse(yaml.text)).toEqual((await activeOnes())[0]?.definition);
    await control(mock, 'DELETE', '/scenarios/active');
    expect((await control(mock, 'POST', '/scenarios/active', { yaml: yaml.text })).status).toBe(201);
    expect((await control(mock, 'POST', '/scenarios/active', { yaml: 'name: [' })).status).toBe(422);
    expect((await control(mock, 'POST', '/scenarios/active', { yaml: yaml.text, name: 'rate-limited' })).status).toBe(
      422,
    );
  });

  test('is listed with what its rules do, also where it only includes others', async () => {
    const { scenarios } = (await control(mock, 'GET', '/scenarios')).json() as {
      scenarios: { name: string; effects: string[] }[];
    };
    expect(scenarios.every(({ effects }) => effects.length > 0)).toBe(true);
    expect(scenarios.find(({ name }) => name === 'bad-day')?.effects).toEqual(
      expect.arrayContaining(['answer', 'delay']),
    );
  });
});

describe('the inbox of webhooks', () => {
  async function messages(): Promise<{ body: string; headers: Record<string, string> }[]> {
    await expect.poll(async () => (await control(mock, 'GET', '/webhooks/inbox')).text).toContain('webhook-id');
    return ((await control(mock, 'GET', '/webhooks/inbox')).json() as { messages: never[] }).messages;
  }

  test('receives signed events, and shows no secret', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const registered = await control(mock, 'POST', '/webhooks', { url: 'inbox:', secret });
    expect(registered.status).toBe(201);
    const { id } = registered.json() as { id: string };
    await control(mock, 'POST', `/webhooks/${id}/fire`, {});
    const [message] = await messages();
    expect(message?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(registered.text + JSON.stringify(message)).not.toContain(secret.slice(6));
  });

  test('receives a replay under the id of its delivery', async () => {
    const { id } = (await control(mock, 'POST', '/webhooks', { url: 'inbox:' })).json() as { id: string };
    const { deliveries } = (await control(mock, 'POST', `/webhooks/${id}/fire`, {})).json() as {
      deliveries: { id: string; body: string }[];
    };
    const replayed = await control(mock, 'POST', `/webhooks/deliveries/${deliveries[0]?.id}/replay`, {});
    expect(replayed.json()).toMatchObject({
      deliveries: [{ id: deliveries[0]?.id, outcome: 'delivered', body: deliveries[0]?.body }],
    });
    expect((await messages()).map(({ headers: { 'webhook-id': of } }) => of)).toEqual(Array(2).fill(deliveries[0]?.id));
    expect((await control(mock, 'POST', '/webhooks/deliveries/msg_none/replay', {})).status).toBe(404);
    await control(mock, 'DELETE', '/webhooks/inbox');
    expect((await control(mock, 'GET', '/webhooks/inbox')).json()).toEqual({ messages: [] });
  });
});

describe('what happens next', () => {
  test('is when tokens expire and records become something else, the soonest first', async () => {
    await bearer(mock);
    const { moments } = (await control(mock, 'GET', '/clock/next')).json() as {
      moments: { at: string; what: string }[];
    };
    expect(moments.some(({ what }) => /^token .* expires$/.test(what))).toBe(true);
    expect(moments.map(({ at }) => at)).toEqual(moments.map(({ at }) => at).toSorted());
    const [first] = moments;
    await control(mock, 'PUT', '/clock', { now: new Date(Date.parse(first?.at ?? '') + 1_000).toISOString() });
    const later = (await control(mock, 'GET', '/clock/next')).json() as { moments: object[] };
    expect(later.moments).not.toContainEqual(first);
    expect((await control(mock, 'DELETE', '/clock')).json()).toMatchObject({ moved: false });
  });

  test('is told of records that wait for a date', async () => {
    await control(mock, 'PUT', '/clock', { now: '2025-03-05T00:00:00Z' });
    const { moments } = (await control(mock, 'GET', '/clock/next')).json() as { moments: { what: string }[] };
    expect(moments.map(({ what }) => what).join('\n')).toMatch(/^transaction .* becomes status SETTLED$/m);
  });
});

test('credentials are told to who may change something, and to no page without the token of the start', async () => {
  expect((await control(mock, 'GET', '/credentials')).json()).toEqual(mock.credentials);
  const page = { origin: `http://127.0.0.1:${mock.port}`, 'sec-fetch-site': 'same-origin' };
  const host = { host: `127.0.0.1:${mock.port}` };
  expect((await control(mock, 'GET', '/credentials', undefined, { ...page, ...host })).status).toBe(403);
  const token = { 'x-mock-control-token': mock.controlToken };
  expect((await control(mock, 'GET', '/credentials', undefined, { ...page, ...host, ...token })).status).toBe(200);
});
