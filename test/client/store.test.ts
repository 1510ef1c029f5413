import { execFile } from 'node:child_process';
import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTokenProvider, type TokenGot, type TokenStore, withToken } from '../../src/client/client.ts';
import { fileStore, memoryStore, redisStore } from '../../src/client/node/stores.ts';
import { POSIX } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ApiServer } from './api-server.ts';
import { numbered, PASSWORD, setup, USERNAME } from './support.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

/** The part of Redis that the store needs. */
function fakeRedis(now: () => number = Date.now) {
  const values = new Map<string, { value: string; until: number }>();
  const alive = (key = ''): string | null => {
    const found = values.get(key);
    return found !== undefined && found.until > now() ? found.value : null;
  };
  const commands: string[][] = [];
  return {
    commands,
    async sendCommand(command: string[]): Promise<unknown> {
      commands.push(command);
      const [name, key = '', value = '', ...more] = command;
      if (name === 'GET') return alive(key);
      if (name === 'SET') {
        if (more.includes('NX') && alive(key) !== null) return null;
        values.set(key, { value, until: now() + Number(more[more.indexOf('PX') + 1]) });
        return 'OK';
      }
      if (name !== 'EVAL') throw new Error(`unknown command ${name}`);
      const [own = '', token] = more;
      if (alive(own) !== token) return 0;
      values.delete(own);
      return 1;
    },
  };
}

const STORES: Record<string, (now?: () => number) => TokenStore> = {
  memory: (now) => memoryStore(now),
  file: (now) => fileStore(join(folder, 'tokens.json'), now),
  'redis, by sendCommand': (now) => redisStore(fakeRedis(now)),
  'redis, by call': (now) => {
    const redis = fakeRedis(now);
    return redisStore({ call: (command: string, ...rest: string[]) => redis.sendCommand([command, ...rest]) });
  },
};

describe.each(Object.keys(STORES))('a store: %s', (name) => {
  const open = (now?: () => number): TokenStore => (STORES[name] as (typeof STORES)[string])(now);

  it('a store keeps entries by key until they expire', async () => {
    let now = 1_000_000;
    const store = open(() => now);
    expect(await store.get('a')).toBeNull();
    await store.set('a', 'one', 10);
    await store.set('b', 'two', 20);
    await store.set('a', 'three', 10);
    expect([await store.get('a'), await store.get('b')]).toEqual(['three', 'two']);
    now += 10_000;
    expect([await store.get('a'), await store.get('b')]).toEqual([null, 'two']);
  });

  it('one caller gets the lock of a key, until it is released or expires', async () => {
    let now = 1_000_000;
    const store = open(() => now);
    const release = await store.lock('a', 10);
    expect(release).not.toBeNull();
    expect(await store.lock('a', 10)).toBeNull();
    await release?.();
    const again = await store.lock('a', 10);
    expect(again).not.toBeNull();
    now += 10_001;
    const taken = await store.lock('a', 10);
    expect(taken).not.toBeNull();
    // an expired lock does not release another caller's lock
    await again?.();
    expect(await store.lock('a', 10)).toBeNull();
  });

  it('a lock is never held by two callers', async () => {
    const store = open();
    const got = await Promise.all(Array.from({ length: 20 }, () => store.lock('a', 10)));
    expect(got.filter((release) => release !== null)).toHaveLength(1);
  });
});

describe('providers with one store', () => {
  it('any number of providers make one token request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 5 }), async (workers, calls) => {
        const { clock, endpoint } = setup();
        const store = memoryStore(() => clock.now());
        const providers = Array.from({ length: workers }, () =>
          setup(undefined, { store, fetch: endpoint.fetch, clock }),
        );
        const asked = providers.flatMap(({ provider }) => Array.from({ length: calls }, () => provider.getToken()));
        const all = Promise.all(asked);
        await clock.advance(1_000);
        expect(new Set((await all).map(({ value }) => value))).toEqual(new Set(['token-1']));
        expect(endpoint.calls).toBe(1);
      }),
      { numRuns: 30 },
    );
  });

  it('after a revocation that all providers notice, they renew once', async () => {
    const { clock, endpoint } = setup();
    const store = memoryStore(() => clock.now());
    const providers = Array.from(
      { length: 4 },
      () => setup(undefined, { store, fetch: endpoint.fetch, clock }).provider,
    );
    const ask = async (): Promise<string[]> => {
      const all = Promise.all(providers.map((provider) => provider.getToken()));
      await clock.advance(1_000);
      return (await all).map(({ value }) => value);
    };
    const before = await ask();
    for (const [index, provider] of providers.entries()) provider.invalidate(before[index] ?? '');
    expect(new Set(await ask())).toEqual(new Set(['token-2']));
    expect(endpoint.calls).toBe(2);
  });

  it('a revoked token never returns, however late an older one is rejected', async () => {
    const { clock, endpoint } = setup();
    const got: TokenGot[] = [];
    const options = { store: memoryStore(() => clock.now()), fetch: endpoint.fetch, clock };
    const { provider } = setup(undefined, options);
    const other = setup(undefined, { ...options, onToken: (one) => got.push(one) }).provider;
    expect((await provider.getToken()).value).toBe('token-1');
    provider.invalidate('token-1');
    expect((await provider.getToken()).value).toBe('token-2');
    provider.accept?.();
    provider.invalidate('token-2');
    provider.invalidate('token-1');
    expect((await provider.getToken()).value).toBe('token-3');
    expect((await other.getToken()).value).toBe('token-3');
    expect(got.map(({ fromStore }) => fromStore)).toEqual([true]);
  });

  it('different users, passwords and endpoints never share a token', async () => {
    const keys = new Set<string>();
    const store: TokenStore = {
      ...memoryStore(),
      get: async (key) => {
        keys.add(key);
        return null;
      },
    };
    for (const other of [{}, { username: 'another' }, { password: 'another' }, { baseUrl: 'https://other.example' }]) {
      await setup(numbered(), { store, ...other }).provider.getToken();
    }
    expect(keys.size).toBe(4);
    for (const key of keys) {
      expect(key).toMatch(/^[0-9a-f]{64}$/);
      expect(key).not.toContain(USERNAME);
    }
  });

  const BROKEN: Record<string, TokenStore> = {
    'fails everywhere': {
      get: () => Promise.reject(new Error('down')),
      set: () => Promise.reject(new Error('down')),
      lock: () => Promise.reject(new Error('down')),
    },
    throws: {
      get: () => {
        throw new Error(PASSWORD);
      },
      set: () => Promise.resolve(),
      lock: () => Promise.resolve(null),
    },
    hangs: { get: () => new Promise(() => {}), set: () => new Promise(() => {}), lock: () => new Promise(() => {}) },
    'cannot keep anything': {
      get: async () => null,
      set: () => Promise.reject(new Error('read-only')),
      lock: async () => () => Promise.reject(new Error('gone')),
    },
    'never gives the lock': { get: async () => null, set: async () => {}, lock: async () => null },
    'holds nonsense': { ...memoryStore(), get: async () => '{"accessToken":7}' },
    'holds an invalid token': {
      ...memoryStore(),
      get: async () => '{"accessToken":"a b","expiresIn":9,"receivedAt":1}',
    },
    'holds null': { ...memoryStore(), get: async () => 'null' },
  };
  it.each(Object.entries(BROKEN))('a store that %s costs only a token request', async (_, store) => {
    const warnings: string[] = [];
    const { provider, endpoint, clock } = setup(undefined, { store, onWarning: (warning) => warnings.push(warning) });
    const asked = provider.getToken();
    await clock.advance(30_000);
    expect((await asked).value).toBe('token-1');
    expect(endpoint.calls).toBe(1);
    expect(warnings.length).toBeLessThanOrEqual(1);
  });

  it('the store keeps an expiring token no longer than its lifetime', async () => {
    const { clock, endpoint } = setup(numbered({ expires_in: 100 }));
    const store = memoryStore(() => clock.now());
    const first = setup(undefined, { store, fetch: endpoint.fetch, clock });
    await first.provider.getToken();
    await clock.advance(85_000);
    const second = setup(undefined, { store, fetch: endpoint.fetch, clock });
    expect((await second.provider.getToken()).value).toBe('token-2');
  });
});

describe('fileStore', () => {
  it('the file is readable only by its owner, and no other file is left', POSIX, async () => {
    const file = join(folder, 'tokens.json');
    const store = fileStore(file);
    const release = await store.lock('k', 10);
    await store.set('k', 'secret', 10);
    await release?.();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['tokens.json']);
  });

  it('a file that others may read is rejected, and so is a link', POSIX, async () => {
    const file = join(folder, 'tokens.json');
    await fileStore(file).set('k', 'entry', 10);
    await chmod(file, 0o644);
    await expect(fileStore(file).get('k')).rejects.toThrow('others may read');
    await symlink(file, join(folder, 'link.json'));
    await expect(fileStore(join(folder, 'link.json')).get('k')).rejects.toThrow();
  });

  it('an overwritten file counts as empty', async () => {
    const file = join(folder, 'tokens.json');
    for (const text of ['', 'x', '[]', '{"k":1}', '{"k":{"entry":1,"until":2}}']) {
      await writeFile(file, text, { mode: 0o600 });
      expect(await fileStore(file).get('k')).toBeNull();
    }
    await fileStore(file).set('k', 'entry', 10);
    expect(await fileStore(file).get('k')).toBe('entry');
  });

  it('a new process gets the lock of a dead one', async () => {
    const file = join(folder, 'tokens.json');
    let now = 1_000;
    const store = fileStore(file, () => now);
    await store.lock('k', 10);
    await utimes(join(folder, 'tokens.json.k.lock'), 0, 0);
    now += 60_000;
    const takers = await Promise.all(Array.from({ length: 10 }, () => store.lock('k', 10)));
    expect(takers.filter((release) => release !== null)).toHaveLength(1);
  });
});

const client = fileURLToPath(new URL('../../dist/src/client/client.js', import.meta.url));
const node = fileURLToPath(new URL('../../dist/src/client/node/node.js', import.meta.url));

it('eight worker processes request one token, and one more after a revocation', { timeout: 60_000 }, async () => {
  const server = await new ApiServer().listen();
  const file = join(folder, 'tokens.json');
  const code = `
      import { createTokenProvider, withToken } from ${JSON.stringify(pathToFileURL(client))};
      import { fileStore } from ${JSON.stringify(pathToFileURL(node))};
      const provider = createTokenProvider({ baseUrl: '${server.url}', username: 'u', password: 'p',
        store: fileStore(${JSON.stringify(file)}) });
      const api = withToken(fetch, provider);
      const answers = await Promise.all([1, 2, 3].map(() => api('${server.url}/x')));
      console.log(answers.map(({ status }) => status).join(' '));`;
  const work = (): Promise<string> =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { timeout: 50_000 }).then(
      ({ stdout, stderr }) => stdout + stderr,
    );
  try {
    expect(await Promise.all(Array.from({ length: 8 }, work))).toEqual(Array(8).fill('200 200 200\n'));
    expect(server.tokenRequests).toBe(1);
    server.revoke();
    expect(await Promise.all(Array.from({ length: 2 }, work))).toEqual(Array(2).fill('200 200 200\n'));
    expect(server.tokenRequests).toBe(2);
    expect(await readFile(file, 'utf8')).not.toContain('u:p');
  } finally {
    await server.close();
  }
});

it('after a 401 withToken checks the store before it requests a token', async () => {
  const server = await new ApiServer().listen();
  const store = memoryStore();
  const open = () => createTokenProvider({ baseUrl: server.url, username: 'u', password: 'p', store });
  const [one, two] = [open(), open()];
  const call = async (provider: ReturnType<typeof open>): Promise<number> =>
    (await withToken((url, init) => fetch(url, init), provider)(`${server.url}/x`)).status;
  await call(one);
  await call(two);
  server.revoke();
  expect([await call(one), await call(two)]).toEqual([200, 200]);
  expect(server.tokenRequests).toBe(2);
  await server.close();
});

it('the lock of a process that was killed does not stop others', async () => {
  const file = join(folder, 'tokens');
  const code = `import { fileStore } from ${JSON.stringify(new URL('../../src/client/node/stores.ts', import.meta.url))};
    await fileStore(${JSON.stringify(file)}).lock('a', 60); process.kill(process.pid, 'SIGKILL');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]).catch(() => {});
  expect(await readdir(folder)).toEqual(['tokens.a.lock']);
  expect(await fileStore(file).lock('a', 60)).not.toBeNull();
  expect(await fileStore(file).lock('a', 60)).toBeNull();
});

it('store-failed names its cause, without secrets', async () => {
  const { clock, endpoint } = setup();
  const store: TokenStore = {
    get: () => Promise.reject(new Error(`cannot log in with ${PASSWORD}`)),
    set: () => Promise.resolve(),
    lock: () => Promise.resolve(null),
  };
  const warnings: [string, unknown][] = [];
  const onWarning = (...warning: [string, unknown?]) => warnings.push([warning[0], warning[1]]);
  await setup(undefined, { store, fetch: endpoint.fetch, clock, onWarning }).provider.getToken();
  expect(warnings).toMatchObject([['store-failed', { message: expect.stringContaining('cannot log in with') }]]);
  expect(String(warnings[0]?.[1])).not.toContain(PASSWORD);
});
