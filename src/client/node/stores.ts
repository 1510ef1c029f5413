import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenStore } from '../token-store.ts';

/** Largest valid file, in bytes. */
const LARGEST = 1024 * 1024;
/** Lifetime of a lock in seconds. After that, the process that holds it counts as dead. */
const WRITE_LEASE = 5;
const MODE = 0o600;

type Entries = Record<string, { readonly entry: string; readonly until: number }>;

/**
 * A store in a file that only its owner may read (0600), shared by the processes of one machine. Each write replaces
 * the whole file.
 * Links, and files that other users may read, are rejected. Locks are files beside it, `FILE.….lock`.
 */
export function fileStore(file: string, now: () => number = () => Date.now()): TokenStore {
  const read = async (): Promise<Entries> => {
    let handle: FileHandle;
    try {
      handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    try {
      const { mode, size } = await handle.stat();
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw new Error('others may read the file of tokens');
      if (size > LARGEST) throw new Error('the file of tokens is too large');
      return entriesOf(await handle.readFile('utf8'));
    } finally {
      await handle.close();
    }
  };
  const isAlive = (found?: Entries[string] | null): found is Entries[string] => (found?.until ?? 0) > now();
  return {
    async get(key) {
      const found = (await read())[key];
      return isAlive(found) ? found.entry : null;
    },
    async set(key, entry, seconds) {
      const name = `${file}.lock`;
      let release = await tryLock(name, WRITE_LEASE, now);
      while (release === null) {
        await sleep(5);
        release = await tryLock(name, WRITE_LEASE, now);
      }
      try {
        const alive = Object.entries(await read()).filter(([, found]) => isAlive(found));
        const entries: Entries = { ...Object.fromEntries(alive), [key]: { entry, until: now() + seconds * 1000 } };
        await appear(file, JSON.stringify(entries), rename);
      } finally {
        await release();
      }
    },
    lock: (key, seconds) => tryLock(`${file}.${key.slice(0, 16)}.lock`, seconds, now),
  };
}

function entriesOf(text: string): Entries {
  try {
    return Object(JSON.parse(text)) as Entries;
  } catch {
    // another program has overwritten the file
    return {};
  }
}

/** Makes a lock file that holds its expiry, because its process may die. */
async function tryLock(name: string, seconds: number, now: () => number): Promise<(() => Promise<void>) | null> {
  const own = `${now() + seconds * 1000} ${randomUUID()} ${process.pid} ${hostname()}`;
  if (!(await create(name, own))) {
    const held = await contentOf(name);
    if (held === null || (Number(held.split(' ')[0]) > now() && !isOfDeadProcess(held))) return null;
    // only one of several processes removes a stale lock
    const grave = `${name}.${randomUUID()}`;
    const moved = await rename(name, grave).then(
      () => true,
      () => false,
    );
    const buried = moved ? await contentOf(grave) : null;
    await rm(grave, { force: true });
    if (buried !== held || !(await create(name, own))) return null;
  }
  return async () => {
    if ((await contentOf(name)) === own) await rm(name, { force: true });
  };
}

/** Only a process of this machine can be told dead. */
function isOfDeadProcess(lock: string): boolean {
  const [, , pid, host] = lock.split(' ');
  if (host !== hostname() || !/^[1-9]\d*$/.test(pid ?? '')) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function create(name: string, content: string): Promise<boolean> {
  return appear(name, content, link).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** The file appears with its content at once, so a process that dies never leaves half of it. */
async function appear(name: string, content: string, place: typeof rename): Promise<void> {
  const part = `${name}.${randomUUID()}.part`;
  await writeFile(part, content, { flag: 'wx', mode: MODE });
  try {
    await place(part, name);
  } finally {
    await rm(part, { force: true });
  }
}

function contentOf(name: string): Promise<string | null> {
  return readFile(name, 'utf8').catch(() => null);
}

export function memoryStore(now: () => number = () => Date.now()): TokenStore {
  const entries = new Map<string, { readonly entry: string; readonly until: number }>();
  const locks = new Map<string, { readonly until: number }>();
  return {
    async get(key) {
      const found = entries.get(key);
      if (found !== undefined && found.until > now()) return found.entry;
      entries.delete(key);
      return null;
    },
    async set(key, entry, seconds) {
      entries.set(key, { entry, until: now() + seconds * 1000 });
    },
    async lock(key, seconds) {
      const held = locks.get(key);
      if (held !== undefined && held.until > now()) return null;
      const own = { until: now() + seconds * 1000 };
      locks.set(key, own);
      return async () => {
        if (locks.get(key) === own) locks.delete(key);
      };
    },
  };
}

/** A connected client of Redis or Valkey: `redis` (`sendCommand`) or `ioredis` (`call`). */
export type RedisClient =
  | { sendCommand(command: string[]): Promise<unknown> }
  | { call(command: string, ...parameters: string[]): Promise<unknown> };

/** Releases a lock unless another worker owns it by now. */
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

/** A store in Redis. The caller keeps and closes the client. Keys begin with `prefix`. */
export function redisStore(client: RedisClient, prefix = 'banking-api-contract:'): TokenStore {
  // `sendCommand` of ioredis expects other arguments
  const send = (command: string, ...parameters: string[]): Promise<unknown> =>
    'call' in client ? client.call(command, ...parameters) : client.sendCommand([command, ...parameters]);
  const milliseconds = (seconds: number): string => String(Math.max(1, Math.round(seconds * 1000)));
  return {
    async get(key) {
      const entry = await send('GET', `${prefix}${key}`);
      return entry === null || entry === undefined ? null : String(entry);
    },
    async set(key, entry, seconds) {
      await send('SET', `${prefix}${key}`, entry, 'PX', milliseconds(seconds));
    },
    async lock(key, seconds) {
      const name = `${prefix}${key}:lock`;
      const own = randomUUID();
      const got = await send('SET', name, own, 'PX', milliseconds(seconds), 'NX');
      if (String(got) !== 'OK') return null;
      return async () => {
        await send('EVAL', RELEASE, '1', name, own);
      };
    },
  };
}
