import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Delivery } from '../../../generated/mock/control.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { createWebhookPolicy } from '../../../src/mock/webhooks/address.ts';
import { post } from '../../../src/mock/webhooks/delivery.ts';
import { keyOf, sign } from '../../../src/mock/webhooks/signature.ts';
import { createWebhooks } from '../../../src/mock/webhooks/webhooks.ts';
import { type Arrived, serveOnLoopback } from '../../support/loopback.ts';
import { bearer, send } from '../support/client.ts';
import { control as ask } from '../support/control.ts';

type Json = Record<string, unknown>;

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
let received: Arrived[] = [];
let answer: { status: number; headers?: Record<string, string> } | 'silence' = { status: 200 };

const receiver = await serveOnLoopback((arrived, response) => {
  received.push(arrived);
  if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end();
});
const url = `${receiver.url}/hooks`;
const mock = await startMock();
afterAll(async () => {
  await mock.close();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await mock.reset();
  received = [];
  answer = { status: 200 };
});

async function control(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> {
  const reply = await ask(mock, method, `/webhooks${path}`, body);
  return { status: reply.status, json: reply.text === '' ? {} : reply.json() };
}

async function deliveries(method: string, path: string, body?: unknown): Promise<readonly Delivery[]> {
  return (await control(method, path, body)).json.deliveries as readonly Delivery[];
}

const fire = (id: string, event: object = { cardId: 'card-4001' }): Promise<readonly Delivery[]> =>
  deliveries('POST', `/${id}/fire`, event);

async function suspend(): Promise<void> {
  const headers = { authorization: await bearer(mock) };
  expect((await send(mock, { method: 'PUT', path: `${CARD}/suspend`, headers })).status).toBe(200);
}

describe('card-updated', () => {
  test('card-updated is sent only to registered URLs', async () => {
    await suspend();
    expect(received).toEqual([]);
  });

  test('card-updated can be sent by hand, with a payload that states its provenance', async () => {
    const { id } = mock.webhook({ url });
    const [delivery] = await fire(id, { cardId: 'card-4001', customerId: 'cust-1001', operationId: 'updateCard' });
    expect(delivery).toMatchObject({ outcome: 'delivered', status: 200, failure: null, exchange: null });
    expect(received).toHaveLength(1);
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-mock-provenance': 'assumed',
      'webhook-id': delivery?.id,
    });
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      type: 'card-updated',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { customerId: 'cust-1001', clientId: null, cardId: 'card-4001', operationId: 'updateCard' },
    });
  });

  test('card-updated is sent after each successful card operation, and after no other', async () => {
    mock.webhook({ url });
    await send(mock, { method: 'PUT', path: `${CARD}/suspend`, headers: { authorization: 'Bearer x' } });
    await send(mock, { path: CARD, headers: { authorization: await bearer(mock) } });
    await suspend();
    await vi.waitFor(() => expect(received).toHaveLength(1), 20_000);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      data: { customerId: 'cust-1001', clientId: 'client-2001', cardId: 'card-4001', operationId: 'suspendCard' },
    });
  });

  test('card-updated is not sent automatically if that is off, nor after removal', async () => {
    const { id } = mock.webhook({ url, automatic: false });
    const other = mock.webhook({ url });
    expect((await control('DELETE', `/${other.id}`)).status).toBe(204);
    await suspend();
    expect(await fire(id)).toHaveLength(1);
    expect(received).toHaveLength(1);
    expect((await control('DELETE', '/w999')).status).toBe(404);
    expect((await control('POST', '/w999/fire')).status).toBe(404);
  });

  test('the event of a change names its exchange in the journal', async () => {
    mock.webhook({ url });
    await suspend();
    await vi.waitFor(async () => expect(await deliveries('GET', '/deliveries')).toHaveLength(1), 20_000);
    const [exchange] = mock.journal.entries({ operationId: 'suspendCard' });
    expect(await deliveries('GET', '/deliveries')).toMatchObject([{ exchange: exchange?.seq, status: 200 }]);
  });
});

describe('S31: the signature of Standard Webhooks', () => {
  test('the signature equals the example of the specification', () => {
    const key = keyOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') as Buffer;
    expect(sign(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  test('the signature covers id, timestamp and body, and no answer shows the secret', async () => {
    const shown = await control('POST', '', { url, secret: SECRET });
    expect(shown.json).toMatchObject({ signed: true });
    await fire(String(shown.json.id));
    const { headers, body } = received[0] as Arrived;
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64')}`,
    );
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30);
    for (const path of ['', '/deliveries']) {
      expect(JSON.stringify((await control('GET', path)).json)).not.toContain(SECRET.slice(6));
    }
  });

  test("the signature uses the mock's clock, so that a tolerance can be tested", async () => {
    const { id } = mock.webhook({ url, secret: SECRET });
    mock.clock.set('2020-01-01T00:00:00Z');
    await fire(id);
    expect(Number(received[0]?.headers['webhook-timestamp'])).toBeLessThan(1_577_836_900);
  });

  test.each(['secret', 'whsec_', 'whsec_!!!', `whsec_${randomBytes(8).toString('base64')}`])(
    'the signature needs a valid secret: %s',
    async (secret) => {
      expect(await control('POST', '', { url, secret })).toMatchObject({
        status: 422,
        json: { errors: [{ pointer: '/secret' }] },
      });
    },
  );
});

describe('M17: the sender of webhooks', () => {
  test.each([
    ['a server error', { status: 503, headers: { 'retry-after': '0' } }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
  ])('an event is sent once, and %s is reported as a failure', async (_, given) => {
    const { id } = mock.webhook({ url });
    answer = given;
    expect(await fire(id)).toMatchObject([{ outcome: 'failed', status: given.status, failure: null }]);
    expect(received.map(({ path }) => path)).toEqual(['/hooks']);
  });

  test('a delivery without an answer reports the reason, and the log is kept', async () => {
    const { id } = mock.webhook({ url: 'http://127.0.0.1:1/' });
    const failed = { outcome: 'failed', webhook: id, status: null, failure: 'ECONNREFUSED' };
    expect(await fire(id)).toMatchObject([failed]);
    expect(await deliveries('GET', '/deliveries')).toMatchObject([failed]);
  });

  test.each([
    ['ftp://127.0.0.1/', /http/],
    ['/relative', /absolute/],
    ['http://user:pass@127.0.0.1/', /credentials/],
    ['http://hooks.example/', /not allowed/],
    ['http://8.8.8.8/', /not allowed/],
    ['http://10.0.0.1/', /not allowed/],
    ['http://169.254.169.254/latest/meta-data', /not allowed/],
    ['http://[fd00::1]/', /not allowed/],
    ['http://[::ffff:10.0.0.1]/', /not allowed/],
    ['http://0.0.0.0/', /not allowed/],
    ['http://0x0a000001/', /not allowed/],
    ['http://localhost.evil.example/', /not allowed/],
  ])('the webhook URL %s is rejected', async (wrong, why) => {
    const { status, json } = await control('POST', '', { url: wrong });
    expect(status).toBe(422);
    expect(json.detail).toMatch(why);
  });

  test('all spellings of loopback are accepted', () => {
    const { judgeUrl } = createWebhookPolicy([]);
    for (const good of [
      'http://localhost:1/',
      'http://a.localhost/',
      'https://[::1]/',
      'http://127.1.2.3/',
      'http://2130706433/',
      'http://[::ffff:127.0.0.1]/',
    ])
      expect([good, judgeUrl(good)]).toEqual([good, undefined]);
  });

  test('the resolved address is checked: an allowed name does not permit private addresses', () => {
    const policy = createWebhookPolicy(['hooks.example', '10.1.0.0/16', 'fd00::5']);
    expect(policy.judgeUrl('https://hooks.example/x')).toBeUndefined();
    const may = (address: string): boolean => policy.mayConnect(address, 'hooks.example');
    const refused = [
      '10.0.0.1',
      '10.2.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '::',
      'fd00::1',
      'fe80::1',
      '::ffff:192.168.0.1',
      '::ffff:c0a8:1',
      '224.0.0.1',
      '255.255.255.255',
      '64:ff9b::a00:1',
      'nonsense',
    ];
    for (const address of refused) expect([address, may(address)]).toEqual([address, false]);
    for (const address of [
      '93.184.215.14',
      '2606:4700::1',
      '10.1.2.3',
      'fd00::5',
      '127.0.0.1',
      '::ffff:10.1.0.1',
      '172.32.0.1',
    ])
      expect([address, may(address)]).toEqual([address, true]);
    expect(policy.mayConnect('93.184.215.14', 'tricky.localhost')).toBe(false);
  });

  test('the address is checked on connecting: a name that resolves to a forbidden address is not contacted', async () => {
    const asked: string[] = [];
    const policy = {
      judgeUrl: () => undefined,
      mayConnect(address: string): boolean {
        asked.push(address);
        return false;
      },
    };
    const target = url.replace('127.0.0.1', 'localhost');
    const { signal } = new AbortController();
    const refused = { status: null, failure: 'address-refused' };
    expect(await post(target, {}, '{}', policy, signal)).toEqual(refused);
    expect(asked).toContain('127.0.0.1');
    expect(await post(url, {}, '{}', policy, signal)).toEqual(refused);
    expect(received).toEqual([]);
  });

  test('a delivery that waits for its answer fails when the mock closes', async () => {
    const webhooks = createWebhooks([], Date.now);
    const { id } = webhooks.register({ url });
    answer = 'silence';
    const firing = webhooks.fire(id, {});
    await vi.waitFor(() => expect(received).toHaveLength(1), 20_000);
    webhooks.close();
    expect(await firing).toMatchObject({ outcome: 'failed', status: null });
  });
});
