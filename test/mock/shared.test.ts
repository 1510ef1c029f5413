import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Mock, MockOptions } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { describeWith } from '../support/needs.ts';
import { type RedisServer, startRedis } from './support/redis.ts';
import { tokenOf } from './support/token.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

const status = async (mock: Mock, token: string): Promise<number> =>
  (await mock.fetch(CARD, { headers: { authorization: `Bearer ${token}` } })).status;

const control = (mock: Mock, method: string, path: string, body?: unknown): Promise<Response> =>
  mock.fetch(`/__mock${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

const health = async (mock: Mock): Promise<Record<string, unknown>> =>
  (await (await control(mock, 'GET', '/health')).json()) as Record<string, unknown>;

describeWith('redis-server', 'mocks that share a Redis', () => {
  let redis: RedisServer;
  let running: Mock[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  afterEach(async () => {
    await running[0]?.reset().catch(() => {});
    await Promise.all(running.map((mock) => mock.close()));
    running = [];
  });

  const start = async (more: MockOptions = {}): Promise<Mock> => {
    const mock = await startMock({ listen: false, store: redis.url, ...more });
    running.push(mock);
    return mock;
  };

  test('take the tokens of each other, and of a start before', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const [first, second] = [await tokenOf(one), await tokenOf(two)];
    expect([await status(two, first.value), await status(one, second.value)]).toEqual([200, 200]);
    await Promise.all([one.close(), two.close()]);
    const later = await start();
    expect([await status(later, first.value), await status(later, `${first.value}x`)]).toEqual([200, 401]);
  });

  test('refuse what one of them revoked: one token, also of the other, and all', async () => {
    const [one, two] = [await start(), await start()];
    const [a, b, c] = [await tokenOf(one), await tokenOf(one), await tokenOf(two)];
    expect((await control(one, 'POST', '/tokens/revoke', { jti: a.jti })).status).toBe(204);
    expect((await control(two, 'POST', '/tokens/expire', { jti: b.jti })).status).toBe(204);
    const all = async (mock: Mock): Promise<number[]> => Promise.all([a, b, c].map(({ value }) => status(mock, value)));
    expect([await all(one), await all(two)]).toEqual([
      [401, 401, 200],
      [401, 401, 200],
    ]);
    two.tokens.revokeAll();
    // a call of the other one a moment later
    await status(two, c.value);
    expect([await all(one), await all(two), await all(await start())]).toEqual(Array(3).fill([401, 401, 401]));
    const fresh = await tokenOf(one);
    expect(await status(two, fresh.value)).toBe(200);
  });

  test('play what one of them was told to, until it is taken back, also by another', async () => {
    const [one, two] = [await start(), await start({ scenarios: ['deprecated-withdrawn'] })];
    const handle = await one.scenario('rate-limited-always');
    const { value } = await tokenOf(one);
    expect([await status(one, value), await status(two, value)]).toEqual([429, 429]);
    expect((await health(two)).scenarios).toEqual(['deprecated-withdrawn', 'rate-limited-always']);
    expect((await health(await start())).scenarios).toEqual(['rate-limited-always']);
    expect((await control(two, 'DELETE', `/scenarios/active/${handle.id}`)).status).toBe(204);
    expect((await health(one)).scenarios).toEqual([]);
    await two.answerOnce('getCard', 503);
    expect([await status(one, value), await status(two, value), await status(one, value)]).toEqual([503, 200, 200]);
  });

  test('have one clock, and are put back together', async () => {
    const [one, two] = [await start(), await start()];
    const { value } = await tokenOf(one);
    await control(one, 'POST', '/clock/advance', { seconds: 7200 });
    expect([two.clock.moved, await status(two, value), two.clock.moved]).toEqual([false, 401, true]);
    expect(Math.abs(one.clock.now() - two.clock.now())).toBeLessThan(5_000);
    await control(two, 'PUT', '/clock', { now: '2040-01-01T00:00:00Z' });
    expect(((await health(one)).clock as { now: string }).now).toMatch(/^2040-01-01T00:00:/);
    await two.scenario('rate-limited-always');
    await one.reset();
    expect([(await health(two)).scenarios, (await health(two)).clock]).toEqual([
      [],
      expect.objectContaining({ moved: false }),
    ]);
    // tokens stay what they are
    expect(await status(two, value)).toBe(200);
  });

  test('lose nothing where all of them change something at once', async () => {
    const mocks = await Promise.all(Array.from({ length: 4 }, () => start()));
    const names = ['deprecated-withdrawn', 'rate-limited-always', 'connection-reset', 'unauthorized-always'];
    await Promise.all(mocks.map((mock, index) => mock.scenario(names[index] ?? '')));
    for (const mock of mocks) expect(((await health(mock)).scenarios as string[]).toSorted()).toEqual(names.toSorted());
  });

  test('say by their health that the store is down, judge tokens on, and are in step again when it is back', async () => {
    const [one, two] = [await start(), await start()];
    const { value } = await tokenOf(one);
    expect(await health(one)).toMatchObject({ status: 'ok', store: null });
    redis.freeze();
    try {
      expect(await health(one)).toMatchObject({
        status: 'store-unavailable',
        store: expect.stringContaining('does not answer'),
      });
      one.clock.advance(60);
    } finally {
      redis.thaw();
    }
    await expect.poll(async () => (await health(one)).status, { timeout: 5_000 }).toBe('ok');
    expect([await status(two, value), two.clock.moved]).toEqual([200, true]);
  });

  test('agree anew where somebody emptied the Redis', async () => {
    const [one, two] = [await start(), await start()];
    const client = await createClient({ url: redis.url }).connect();
    await client.flushAll();
    const first = await tokenOf(one);
    expect(await status(two, first.value)).toBe(200);
    client.destroy();
  });
});
