import { createClient, type RedisClientType } from 'redis';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createTokenProvider, withToken } from '../../src/client/client.ts';
import { redisStore } from '../../src/client/node/stores.ts';
import { type RedisServer, startRedis } from '../mock/support/redis.ts';
import { describeWith } from '../support/needs.ts';
import { ApiServer } from './api-server.ts';

describeWith('redis-server', 'redisStore on a real Redis', () => {
  let redis: RedisServer;
  let client: RedisClientType;
  const clients: RedisClientType[] = [];
  const connect = async (): Promise<RedisClientType> => {
    const each: RedisClientType = createClient({ url: redis.url, socket: { reconnectStrategy: false } });
    each.on('error', () => {});
    clients.push(await each.connect());
    return each;
  };
  beforeAll(async () => {
    redis = await startRedis();
    client = await connect();
  });
  beforeEach(() => client.flushAll());
  afterAll(async () => {
    for (const each of clients) each.destroy();
    await redis.stop();
  });

  it('the store keeps an entry under its prefix until it expires', async () => {
    const store = redisStore(client);
    expect(await store.get('a')).toBeNull();
    await store.set('a', 'one', 10);
    await redisStore(client, 'other:').set('a', 'two', 1);
    expect((await client.keys('*')).sort()).toEqual(['banking-api-contract:a', 'other:a']);
    expect(await store.get('a')).toBe('one');
    expect(await client.pTTL('banking-api-contract:a')).toBeGreaterThan(9_000);
    await expect.poll(() => redisStore(client, 'other:').get('a')).toBeNull();
  });

  it('one of many connections gets the lock, and the next one when it expires', async () => {
    const stores = (await Promise.all(Array.from({ length: 5 }, connect))).map((each) => redisStore(each));
    const locks = await Promise.all(stores.flatMap((store) => [store.lock('a', 1), store.lock('a', 1)]));
    const held = locks.filter((release) => release !== null);
    expect(held).toHaveLength(1);
    const next = await vi.waitFor(async () => (await stores[0]?.lock('a', 30)) ?? expect.fail('locked'), 20_000);
    // too late: another connection has the lock by now
    await held[0]?.();
    expect(await stores[1]?.lock('a', 30)).toBeNull();
    await next();
    expect(await client.keys('*')).toEqual([]);
  });

  it('eight workers request one token, and one more after a revocation', async () => {
    const server = await new ApiServer().listen();
    const workers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const store = redisStore(await connect());
        const provider = createTokenProvider({ baseUrl: server.url, username: 'u', password: 'p', store });
        return withToken((url, init) => fetch(url, init), provider);
      }),
    );
    const work = () => Promise.all(workers.map(async (api) => (await api(`${server.url}/x`)).status));
    expect(await work()).toEqual(Array(8).fill(200));
    expect(server.tokenRequests).toBe(1);
    server.revoke();
    expect(await work()).toEqual(Array(8).fill(200));
    expect(server.tokenRequests).toBe(2);
    const [key = ''] = await client.keys('*');
    expect(key).toMatch(/^banking-api-contract:[0-9a-f]{64}$/);
    await server.close();
  });

  it('a hanging or lost Redis costs only a token request', async () => {
    const server = await new ApiServer().listen();
    const other = await startRedis();
    const own: RedisClientType = createClient({ url: other.url, socket: { reconnectStrategy: false } });
    own.on('error', () => {});
    await own.connect();
    const warnings: string[] = [];
    const options = {
      ...{ baseUrl: server.url, username: 'u', password: 'p', store: redisStore(own) },
      onWarning: (warning: string) => warnings.push(warning),
    };
    other.freeze();
    expect((await createTokenProvider(options).getToken()).value).toBe('token-1');
    other.thaw();
    await other.stop();
    expect((await createTokenProvider(options).getToken()).value).toBe('token-2');
    expect(warnings).toEqual(['store-failed', 'store-failed']);
    own.destroy();
    await server.close();
  });
});
