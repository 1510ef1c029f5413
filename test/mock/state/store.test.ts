import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createClient } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { describeWith } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask, type Told } from '../support/ask.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { tokenOf } from '../support/token.ts';

const CARDS = '/wallet/api/customers/c/cards';
const LIST = '/wallet/api/customers/c/clients/client-2001/cards';
const folder = await temporaryFolder();
const fresh = (): string => join(folder, `${Math.random().toString(36).slice(2)}.db`);
const start = (store: string | undefined, more: MockOptions = {}): Promise<Mock> =>
  startMock({ listen: false, anyToken: true, ...(store === undefined ? {} : { store }), ...more });

/** Tests that apply to every store. */
function promises(where: () => string | undefined): void {
  let mock: Mock;
  const call = (method: string, path: string, body?: unknown): Promise<Told> => ask(mock, method, path, body);
  beforeEach(async () => {
    mock = await start(where());
    await mock.reset();
    return () => mock.close();
  });

  test('a record is returned as sent, changed, and deleted', async () => {
    const { body: card } = await call('POST', CARDS, { alias: 'Flowers', cardLimitDaily: 100, cardType: 'VIRTUAL' });
    expect(card).toMatchObject({ alias: 'Flowers', cardLimitDaily: 100, cardType: 'VIRTUAL' });
    expect((await call('GET', `${CARDS}/${card.cardId}`)).body).toEqual(card);
    expect((await call('GET', LIST)).body.at(-1)).toEqual(card);
    await call('PUT', `/wallet/api/customers/c/client-2001/card/${card.cardId}/updateAlias`, { alias: 'Trees' });
    expect((await call('GET', `${CARDS}/${card.cardId}`)).body).toEqual({ ...card, alias: 'Trees' });
    expect((await call('DELETE', `${CARDS}/${card.cardId}`)).body.status).toBe('CANCELLED');
    expect((await call('GET', `${CARDS}/${card.cardId}`)).status).toBe(404);
    expect((await call('GET', LIST)).body).toHaveLength(2);
  });

  test('a deleted seed record stays deleted, only for its customer', async () => {
    expect((await call('DELETE', `${CARDS}/card-4001`)).status).toBe(200);
    expect((await call('GET', `${CARDS}/card-4001`)).status).toBe(404);
    expect((await call('GET', CARDS.replace('/c/', '/d/').concat('/card-4001'))).status).toBe(200);
    await mock.reset();
    expect((await call('GET', `${CARDS}/card-4001`)).status).toBe(200);
  });

  test('M10: 1,000 parallel writes of three customers are all stored, each with its own id and customer', async () => {
    const customers = ['one', 'two', 'a/b:{c}*'].map((name) => encodeURIComponent(name));
    const issued = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const customer = customers[index % 3] ?? '';
        const { status, body } = await call('POST', `/wallet/api/customers/${customer}/cards`, {
          alias: `n${index}`,
          currency: 'GBP',
          cardLimitDaily: index,
        });
        expect(status).toBe(200);
        return { customer, body };
      }),
    );
    expect(new Set(issued.map(({ body }) => body.cardId)).size).toBe(1_000);
    for (const customer of customers) {
      const mine = issued.filter((one) => one.customer === customer).map(({ body }) => body);
      const { body: list } = await call('GET', LIST.replace('/c/', `/${customer}/`));
      expect(list.slice(2)).toEqual(mine);
    }
  }, 60_000);

  test('lists keep the order of creation after changes', async () => {
    const ids: string[] = [];
    for (const alias of ['a', 'b', 'c']) ids.push((await call('POST', CARDS, { alias })).body.cardId);
    await call('PUT', `${CARDS}/${ids[0]}/suspend`);
    await call('PUT', `${CARDS}/card-4002/suspend`);
    const { body: list } = await call('GET', LIST);
    expect(list.map((card: { cardId: string }) => card.cardId)).toEqual(['card-4001', 'card-4002', ...ids]);
  });

  test('a rejected request changes nothing and leaves no gap in generated ids', async () => {
    await call('POST', CARDS, { userId: 'nobody' });
    await call('POST', CARDS, { currency: 'GBP', cardLimitDaily: 999_999 });
    const { body: card } = await call('POST', CARDS, {});
    await mock.reset();
    expect((await call('POST', CARDS, {})).body.cardId).toBe(card.cardId);
  });

  test('a customer may have any name', async () => {
    for (const name of ['__proto__', 'constructor', '%00', 'x'.repeat(500), '%F0%9F%92%A9', "';--"]) {
      const path = `/wallet/api/customers/${name}/cards`;
      const { status, body } = await call('POST', path, { alias: name });
      expect([name, status]).toEqual([name, 200]);
      expect((await call('GET', `${path}/${body.cardId}`)).body.alias).toBe(name);
    }
    expect(({} as Record<string, unknown>).card).toBeUndefined();
  });
}

describe('a store in memory', () => {
  promises(() => undefined);
});

describe('a store in a file', () => {
  promises(fresh);

  test('a file store keeps all customers over a restart', async () => {
    const store = fresh();
    const first = await start(store);
    const { body: card } = await ask(first, 'POST', CARDS, { alias: 'kept' });
    await ask(first, 'DELETE', `${CARDS}/card-4002`);
    await ask(first, 'DELETE', '/iam/api/customers/d/companies/client-2001');
    await first.close();
    await using second = await start(store);
    expect((await ask(second, 'GET', `${CARDS}/${card.cardId}`)).body).toEqual(card);
    expect((await ask(second, 'GET', `${CARDS}/card-4002`)).status).toBe(404);
    expect((await ask(second, 'GET', '/iam/api/customers/d/clients')).body).toHaveLength(1);
    expect((await ask(second, 'POST', CARDS, {})).body.cardId).not.toBe(card.cardId);
  });

  test('a file store loses no answered request when the process is killed', async () => {
    const store = fresh();
    const script = `
      const { startMock } = await import(${JSON.stringify(pathToFileURL(join(packageRoot, 'dist/src/mock/start-mock.js')))});
      const mock = await startMock({ listen: false, anyToken: true, store: ${JSON.stringify(store)} });
      for (;;) {
        const response = await mock.fetch('${CARDS}', { method: 'POST', headers: { authorization: 'Bearer any', 'content-type': 'application/json' }, body: '{}' });
        console.log(JSON.parse(await response.text()).cardId);
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const answered = await linesUntilKilled(child, 200);
    await using mock = await start(store);
    const { body: list } = await ask(mock, 'GET', LIST);
    const kept = new Set(list.map((card: { cardId: string }) => card.cardId));
    expect(answered.length).toBeGreaterThanOrEqual(200);
    expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  }, 60_000);

  test('a file store belongs to one mock at a time; another mock gets an error that names the file', async () => {
    const store = fresh();
    await using _ = await start(store);
    await expect(start(store)).rejects.toMatchObject({ code: 'usage', exitCode: 2, place: { file: store } });
  });

  test('a failed start releases the file store', async () => {
    const store = fresh();
    await expect(start(store, { tokenLifetime: -1 })).rejects.toMatchObject({ code: 'usage' });
    await using mock = await start(store);
    expect((await ask(mock, 'GET', `${CARDS}/card-4001`)).status).toBe(200);
  });

  test('a file of another format is rejected and left unchanged', async () => {
    const text = fresh();
    writeFileSync(text, 'no database, but somebody needs it\n'.repeat(100));
    await expect(start(text)).rejects.toMatchObject({ code: 'file-unwritable', exitCode: 2, place: { file: text } });
    expect(readFileSync(text, 'utf8')).toContain('somebody needs it');
    const foreign = fresh();
    const database = new DatabaseSync(foreign);
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    await expect(start(foreign)).rejects.toMatchObject({ code: 'file-unwritable', place: { file: foreign } });
    await expect(start(folder)).rejects.toMatchObject({ code: 'file-unwritable', place: { file: folder } });
  });

  test('a file store keeps sent records and adds new seed records', async () => {
    const store = fresh();
    const before = await start(store);
    await ask(before, 'PUT', `${CARDS}/card-4001/suspend`);
    await before.close();
    const clients = [{ clientId: 'client-9', name: 'New', country: 'GB' }];
    await using after = await start(store, { seedData: { clients } });
    expect((await ask(after, 'GET', '/iam/api/customers/c/clients/client-9')).status).toBe(200);
    expect((await ask(after, 'GET', `${CARDS}/card-4001`)).body.status).toBe('SUSPENDED');
  });

  test('a file store prints nothing to stderr', async () => {
    const script = `
      const { startMock } = await import(${JSON.stringify(pathToFileURL(join(packageRoot, 'dist/src/mock/start-mock.js')))});
      await (await startMock({ listen: false, store: ${JSON.stringify(fresh())} })).close();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: string[] = [];
    child.stderr?.on('data', (chunk) => said.push(String(chunk)));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect([code, said.join('')]).toEqual([0, '']);
  });
});

/** A separate tiny file system, so that the disk fills up at once: an unprivileged Linux mount. */
const FULL_DISK = `
  const { startMock } = await import(${JSON.stringify(pathToFileURL(join(packageRoot, 'dist/src/mock/start-mock.js')))});
  const told = [];
  const mock = await startMock({ listen: false, store: '/mnt/state.db', onStoreProblem: (problem) => told.push(problem) });
  const { username, password } = mock.credentials;
  const basic = { authorization: 'Basic ' + btoa(username + ':' + password) };
  const token = await mock.fetch('/iam/oauth/token', { method: 'POST', headers: basic, body: new URLSearchParams({ grant_type: 'client_credentials' }) });
  const authorization = 'Bearer ' + (await token.json()).access_token;
  const issue = () => mock.fetch(${JSON.stringify(CARDS)}, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify({ alias: 'x'.repeat(60) }) });
  let answer;
  for (let tries = 0; tries < 5000; tries += 1) {
    answer = await issue();
    if (answer.status > 299) break;
    await answer.text();
  }
  const { type, detail } = await answer.json();
  const read = await mock.fetch(${JSON.stringify(`${CARDS}/card-4001`)}, { headers: { authorization } });
  const health = await (await mock.fetch('/__mock/health')).json();
  console.log(JSON.stringify({ status: answer.status, type, detail, read: read.status, health: health.status, store: health.store, told }));
  await mock.close();`;
const mountable = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.skipIf(!mountable)('a full disk is 503, and health, a terminal message and the explanation report it', () => {
  const { stdout, stderr } = spawnSync(
    'unshare',
    [
      '-rm',
      'sh',
      '-c',
      'mount -t tmpfs -o size=256k none /mnt && exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      FULL_DISK,
    ],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  const seen = JSON.parse(stdout) as Record<string, unknown>;
  expect(seen).toMatchObject({
    status: 503,
    type: 'https://banking-api-contract.invalid/problems/store-unavailable',
    read: 200,
    health: 'store-unavailable',
  });
  expect(seen.detail).toMatch(/^the store cannot keep the change: .*(?:full|disk I\/O)/);
  expect(seen.store).toBe(seen.detail);
  expect(seen.told).toEqual([seen.detail]);
});

async function linesUntilKilled(child: ChildProcess, many: number): Promise<string[]> {
  const lines: string[] = [];
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === many) child.kill('SIGKILL');
  }
  return lines;
}

describeWith('redis-server', 'a store in a Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  promises(() => redis.url);

  test('a Redis store is shared: records of one mock show in another at once', async () => {
    await using one = await start(redis.url);
    await using two = await start(redis.url);
    await one.reset();
    const { body: card } = await ask(one, 'POST', CARDS, { alias: 'shared' });
    expect((await ask(two, 'GET', `${CARDS}/${card.cardId}`)).body).toEqual(card);
    await ask(two, 'DELETE', `${CARDS}/${card.cardId}`);
    expect((await ask(one, 'GET', `${CARDS}/${card.cardId}`)).status).toBe(404);
    await ask(one, 'DELETE', `${CARDS}/card-4001`);
    await two.reset();
    expect((await ask(one, 'GET', `${CARDS}/card-4001`)).status).toBe(200);
    await ask(two, 'POST', CARDS, {});
    expect((await ask(one, 'GET', LIST)).body).toHaveLength(3);
  });

  test('M10: three mocks that write to one customer in parallel lose nothing and repeat no id', async () => {
    const mocks = await Promise.all([start(redis.url), start(redis.url), start(redis.url)]);
    const [first] = mocks;
    await first?.reset();
    const issued = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        ask(mocks[index % 3] as Mock, 'POST', CARDS, { alias: `n${index}` }).then(({ body }) => body),
      ),
    );
    expect(new Set(issued.map(({ cardId }) => cardId)).size).toBe(300);
    const lists = await Promise.all(mocks.map((mock) => ask(mock, 'GET', LIST)));
    for (const { body } of lists) expect(body).toEqual(lists[0]?.body);
    expect(lists[0]?.body).toHaveLength(302);
    for (const mock of mocks) await mock.close();
  }, 60_000);

  test("mocks of one Redis store share a signing key, and accept each other's tokens and earlier ones", async () => {
    const statusOf = async (mock: Mock, token: string): Promise<number> =>
      (await mock.fetch(`${CARDS}/card-4001`, { headers: { authorization: `Bearer ${token}` } })).status;
    const open = (): Promise<Mock> => start(redis.url, { anyToken: false });
    const [one, two] = await Promise.all([open(), open()]);
    const [first, second] = [await tokenOf(one), await tokenOf(two)];
    expect([await statusOf(two, first.value), await statusOf(one, second.value)]).toEqual([200, 200]);
    await Promise.all([one.close(), two.close()]);
    await using later = await open();
    expect([await statusOf(later, first.value), await statusOf(later, `${first.value}x`)]).toEqual([200, 401]);
  });

  test('a frozen Redis makes requests 503 in time, however many wait, and they work once it resumes', async () => {
    const own = await startRedis();
    await using mock = await start(own.url);
    expect((await ask(mock, 'GET', `${CARDS}/card-4001`)).status).toBe(200);
    own.freeze();
    const from = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(mock, 'GET', `${CARDS}/card-4001`)));
    expect(performance.now() - from).toBeLessThan(8000);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await ask(mock, 'GET', '/__mock/health')).body.status).toBe('store-unavailable');
    own.thaw();
    await expect.poll(async () => (await ask(mock, 'GET', `${CARDS}/card-4001`)).status, { timeout: 20_000 }).toBe(200);
    expect((await ask(mock, 'GET', '/__mock/health')).body.status).toBe('ok');
    await own.stop();
  }, 60_000);

  test("foreign data under the store's keys is reported, and a reset removes it", async () => {
    const client = await createClient({ url: redis.url }).connect();
    await using mock = await start(redis.url);
    for (const part of ['meta', 'changes']) {
      await mock.reset();
      await client.set(`banking-api-mock:tenant:c:${part}`, 'theirs');
      const { status, body } = await ask(mock, 'POST', CARDS, {});
      expect([status, body.detail]).toEqual([503, expect.stringContaining('(WRONGTYPE); POST /__mock/reset')]);
    }
    await mock.reset();
    expect((await ask(mock, 'POST', CARDS, {})).status).toBe(200);
    client.destroy();
  });

  test('a full Redis is reported without the advice to empty it', async () => {
    const own = await startRedis();
    const client = await createClient({ url: own.url }).connect();
    await using mock = await start(own.url);
    await client.configSet('maxmemory', '1');
    const { status, body } = await ask(mock, 'POST', CARDS, {});
    expect([status, body.detail]).toEqual([503, expect.stringContaining('(OOM)')]);
    expect(body.detail).not.toContain('reset');
    client.destroy();
    await own.stop();
  });

  test('a lost Redis makes requests 503, and the mock keeps running', async () => {
    const own = await startRedis();
    await using mock = await start(own.url);
    expect((await ask(mock, 'GET', `${CARDS}/card-4001`)).status).toBe(200);
    await own.stop();
    const gone = await ask(mock, 'GET', `${CARDS}/card-4001`);
    expect([gone.status, gone.body.type]).toEqual([
      503,
      'https://banking-api-contract.invalid/problems/store-unavailable',
    ]);
    expect((await ask(mock, 'GET', '/nowhere')).status).toBe(404);
  });

  test('an unreachable Redis is named at the start, without its password', async () => {
    const error = await start('redis://user:hush-hush@127.0.0.1:1').catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
    expect(String((error as Error).message)).toContain('127.0.0.1:1');
    expect(String((error as Error).message)).not.toContain('hush');
  });
});

test('another kind of store is rejected', async () => {
  await expect(start('postgres://x')).rejects.toMatchObject({ code: 'usage' });
});
