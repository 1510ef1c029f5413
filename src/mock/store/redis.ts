import { ToolError } from '../../errors.ts';
import { missingEngine } from '../../files/missing-engine.ts';
import { Draft, type RecordChange, type StartRecords, TenantRecords, type Value } from '../state/records.ts';
import type { BaseOf, Store, StoreHealth, Work } from './store.ts';

/**
 * Scripts run in Redis as one step. Each tenant has a hash of its records, a sorted set with the version of each last change, and a hash
 * with its version and the version at which it began (a reset begins anew).
 */

/** KEYS: meta, records, changes. ARGV: born, version. Answers born and version, and what was changed since. */
const READ = `
local meta = redis.call('HMGET', KEYS[1], 'born', 'version')
if not meta[1] then return {'0', '0'} end
if meta[1] == ARGV[1] and meta[2] == ARGV[2] then return {meta[1], meta[2]} end
local since = '0'
if meta[1] == ARGV[1] then since = ARGV[2] end
local names = redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. since, '+inf')
local bodies = {}
for i, name in ipairs(names) do bodies[i] = redis.call('HGET', KEYS[2], name) or '' end
return {meta[1], meta[2], names, bodies}
`;

/** KEYS: meta, records, changes, clock. ARGV: born, version, then names and bodies in turn. Answers born and version, or nothing where another was faster. */
const WRITE = `
local meta = redis.call('HMGET', KEYS[1], 'born', 'version')
if (meta[1] or '0') ~= ARGV[1] or (meta[2] or '0') ~= ARGV[2] then return {} end
local version = string.format('%d', redis.call('INCR', KEYS[4]))
local born = meta[1] or version
redis.call('HSET', KEYS[1], 'born', born, 'version', version)
for i = 3, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[2], ARGV[i]) else redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
  redis.call('ZADD', KEYS[3], version, ARGV[i])
end
return {born, version}
`;

/** KEYS: shared. ARGV: version. Answers version and text, or nothing where the version is that one. */
const READ_SHARED = `
local found = redis.call('HMGET', KEYS[1], 'version', 'text')
local version = found[1] or '0'
if version == ARGV[1] then return {} end
return {version, found[2] or ''}
`;

/** KEYS: shared, clock. ARGV: version, text. Answers the new version, or nothing where another was faster. */
const WRITE_SHARED = `
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then return {} end
local version = string.format('%d', redis.call('INCR', KEYS[2]))
redis.call('HSET', KEYS[1], 'version', version, 'text', ARGV[2])
return {version}
`;

/** KEYS: clock. Answers 1 where it is a clock, or not there yet. */
const CLOCK = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return 1 end
if kind ~= 'string' then return 0 end
if string.match(redis.call('GET', KEYS[1]), '^%d+$') then return 1 end
return 0
`;

const PREFIX = 'banking-api-mock:';
const TENANT = `${PREFIX}tenant:`;
const META = ':meta';
const SHARED = `${PREFIX}shared`;
/** Milliseconds that a Redis has to answer. */
const PATIENCE = 3_000;
/** Milliseconds in which one that did not is not asked again. */
const PAUSE = 500;

/** What this process knows of a tenant: all of it, as of a version. */
interface Mirror {
  born: string;
  version: string;
  records: TenantRecords;
  /** The pieces of work of this process on the tenant, one after the other. */
  last: Promise<unknown>;
}

/**
 * Keeps the records in a Redis for several mocks. Each mock has a copy and asks for changes since; work that another mock overtook is repeated.
 * @param url `redis://HOST:PORT/DATABASE`, `rediss://` for TLS.
 * @throws ToolError `usage` for a Redis that does not answer, `engine-missing` for a client that is not installed.
 */
export async function createRedisStore(url: string, base: BaseOf, health: StoreHealth): Promise<Store> {
  const client = await connect(url);
  const mirrors = new Map<string, Mirror>();

  let silentUntil = 0;
  const late = (): Error => {
    silentUntil = performance.now() + PAUSE;
    return health.failed(SILENT);
  };

  const ask = async (script: string, keys: string[], values: string[]): Promise<readonly unknown[]> => {
    // one request has just found it silent: those queued behind it need not wait as long
    if (performance.now() < silentUntil) throw health.failed(SILENT);
    let answer: readonly unknown[];
    try {
      const asked = client.eval(script, { keys, arguments: values });
      answer = (await inTime(asked, late)) as unknown as readonly unknown[];
    } catch (cause) {
      throw health.failed(isForeign(cause) ? foreign(keys) : SILENT, cause);
    }
    health.worked();
    return answer;
  };

  const refresh = async (tenant: string, mirror: Mirror): Promise<void> => {
    const answer = await ask(READ, keysOf(tenant).slice(0, 3), [mirror.born, mirror.version]);
    const [born, version, names = [], bodies = []] = answer as [string, string, string[]?, string[]?];
    if (born !== mirror.born) mirror.records = new TenantRecords(() => base(tenant));
    try {
      mirror.records.apply(names.map((name, index) => toChange(name, bodies[index] ?? '')));
    } catch (cause) {
      throw health.failed(foreign(keysOf(tenant)), cause);
    }
    mirror.born = born;
    mirror.version = version;
  };

  const work = async <T>(tenant: string, mirror: Mirror, piece: Work<T>): Promise<T> => {
    for (;;) {
      await refresh(tenant, mirror);
      const draft = new Draft(mirror.records);
      const result = piece(draft);
      if (draft.untouched) return result;
      const { changes } = draft;
      const texts = changes.flatMap((change) => [`${change.kind}/${change.id}`, toBody(change, base(tenant))]);
      const [born, version] = await ask(WRITE, keysOf(tenant), [mirror.born, mirror.version, ...texts]);
      if (typeof born !== 'string' || typeof version !== 'string') continue;
      mirror.records.apply(changes);
      mirror.born = born;
      mirror.version = version;
      return result;
    }
  };

  return {
    transact(tenant, piece) {
      const mirror = mirrors.get(tenant) ?? newMirror(() => base(tenant));
      mirrors.set(tenant, mirror);
      const done = mirror.last.then(() => work(tenant, mirror, piece));
      mirror.last = done.catch(() => {});
      return done;
    },
    get problem() {
      return health.problem;
    },
    async tenants() {
      const found = await inTime(changed(), late);
      health.worked();
      return found;
    },
    async reset(tenant) {
      await inTime(tenant === undefined ? forget() : forgetOne(tenant), late);
      if (tenant === undefined) mirrors.clear();
      else mirrors.delete(tenant);
      health.worked();
    },
    async close() {
      end(client);
    },
    cell: {
      async read(known) {
        const [version, text] = (await ask(READ_SHARED, [SHARED], [known])) as [string?, string?];
        return version === undefined ? null : { version, text: text ?? '' };
      },
      async write(known, text) {
        const [version] = (await ask(WRITE_SHARED, [SHARED, `${PREFIX}clock`], [known, text])) as [string?];
        return version ?? null;
      },
    },
  };

  async function changed(): Promise<readonly string[]> {
    const found = new Set<string>();
    try {
      for await (const keys of client.scanIterator({ MATCH: `${TENANT}*${META}`, COUNT: 500 })) {
        for (const key of keys) found.add(decodeURIComponent(key.slice(TENANT.length, -META.length)));
      }
    } catch (cause) {
      throw health.failed(SILENT, cause);
    }
    return [...found].sort();
  }

  async function forgetOne(tenant: string): Promise<void> {
    try {
      await client.unlink(keysOf(tenant).slice(0, 3));
    } catch (cause) {
      throw health.failed(SILENT, cause);
    }
  }

  async function forget(): Promise<void> {
    try {
      // the clock stays: a tenant that begins anew is known by it
      const clock = await client.eval(CLOCK, { keys: [`${PREFIX}clock`], arguments: [] });
      if (clock !== 1) await client.unlink(`${PREFIX}clock`);
      if (!['hash', 'none'].includes(await client.type(SHARED))) await client.unlink(SHARED);
      // version 4 gives each key by itself
      for await (const keys of client.scanIterator({ MATCH: `${TENANT}*`, COUNT: 500 })) {
        if (keys.length > 0) await client.unlink(keys);
      }
    } catch (cause) {
      throw health.failed(SILENT, cause);
    }
  }
}

const SILENT = 'the Redis that keeps the state does not answer';

/** Another program wrote where the mock keeps its records. */
function foreign(keys: readonly string[]): string {
  return `the Redis that keeps the state holds something else under ${keys[0]?.replace(/:meta$/, ':*')} or ${PREFIX}clock; POST /__mock/reset takes it away`;
}

function isForeign(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    /WRONGTYPE|not an integer|not a valid float|compare two nil|wrong type/i.test(cause.message)
  );
}

/** A Redis that is frozen takes a command and never answers. */
async function inTime<T>(work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), PATIENCE);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

function newMirror(base: () => StartRecords): Mirror {
  return { born: '0', version: '0', records: new TenantRecords(base), last: Promise.resolve() };
}

function keysOf(tenant: string): string[] {
  const keys = ['meta', 'records', 'changes'].map((part) => `${TENANT}${encodeURIComponent(tenant)}:${part}`);
  return [...keys, `${PREFIX}clock`];
}

/** Nothing need be kept of what was made and is gone; what the seed holds must be known to be gone. */
function toBody({ kind, id, order, value }: RecordChange, base: StartRecords): string {
  return value === null && !base[kind]?.has(id) ? '' : JSON.stringify([order, value]);
}

function toChange(name: string, body: string): RecordChange {
  const slash = name.indexOf('/');
  const [order, value] = body === '' ? [0, null] : (JSON.parse(body) as [number, Value | null]);
  return { kind: name.slice(0, slash), id: name.slice(slash + 1), order, value };
}

async function connect(url: string) {
  const { createClient } = await load();
  const client = made(() =>
    createClient({
      url,
      disableOfflineQueue: true,
      commandOptions: { timeout: PATIENCE },
      socket: {
        connectTimeout: PATIENCE,
        reconnectStrategy: (tries, cause) => (opened ? Math.min(2_000, 50 * (tries + 1)) : cause),
      },
    }),
  );
  let opened = false;
  // each call reports its own failure; an error event without a listener would end the process
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
  } catch (cause) {
    end(client);
    const code = (cause as NodeJS.ErrnoException | null)?.code;
    throw new ToolError('usage', `The Redis at ${hostOf(url)} cannot be used${code ? ` (${code})` : ''}.`, {
      hint: 'Start one, or leave --store out to keep the state in memory.',
      cause,
    });
  }
  opened = true;
  return client;
}

/** Drops the connection at once; version 4 has another word for it. */
function end(client: { isOpen: boolean; destroy?(): void; disconnect?(): Promise<void> }): void {
  if (!client.isOpen) return;
  if (client.destroy) client.destroy();
  else void client.disconnect?.().catch(() => {});
}

async function load(): Promise<typeof import('redis')> {
  try {
    return await import('redis');
  } catch (cause) {
    throw missingEngine('The client of Redis is not installed, and this store needs it.', ['redis'], cause);
  }
}

/** The client throws of an address that it cannot read, or whose database is no number. */
function made<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw new ToolError('usage', 'The address of the Redis cannot be read.', {
      hint: 'It is redis://HOST:PORT, with /NUMBER for another database.',
      cause,
    });
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host || 'that address';
}
