import { randomBytes, randomUUID } from 'node:crypto';
import { ToolError } from '../../errors.ts';
import { missingEngine } from '../../files/missing-engine.ts';
import { Draft, type RecordChange, type StartRecords, TenantRecords, type Value } from '../state/records.ts';
import type { BaseOf, Store, StoreHealth, Work } from './store.ts';

/**
 * Redis runs each script as one step. A tenant has a hash of its records and a sorted set with the version of each last
 * change. Another hash holds its version and `born`, an id that changes with each reset.
 */

/** KEYS: meta, records, changes. ARGV: born, version. Returns born, version and the changes since. */
const READ = `
local meta = redis.call('HMGET', KEYS[1], 'born', 'version')
local born, version = meta[1] or '', meta[2] or '0'
if born == ARGV[1] and version == ARGV[2] then return {born, version} end
local since = '0'
if born == ARGV[1] then since = ARGV[2] end
local names = redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. since, '+inf')
local bodies = {}
for i, name in ipairs(names) do bodies[i] = redis.call('HGET', KEYS[2], name) or '' end
return {born, version, names, bodies}
`;

/** KEYS as above. ARGV: born, version, new born, names and bodies in turn. Returns nothing after a conflict. */
const WRITE = `
local meta = redis.call('HMGET', KEYS[1], 'born', 'version')
if (meta[1] or '') ~= ARGV[1] or (meta[2] or '0') ~= ARGV[2] then return {} end
local born = meta[1] or ARGV[3]
redis.call('HSET', KEYS[1], 'born', born)
local version = string.format('%d', redis.call('HINCRBY', KEYS[1], 'version', 1))
for i = 4, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[2], ARGV[i]) else redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
  redis.call('ZADD', KEYS[3], version, ARGV[i])
end
return {born, version}
`;

const PREFIX = 'banking-api-mock:';
const TENANT = `${PREFIX}tenant:`;
const KEY = `${PREFIX}signing-key`;
const META = ':meta';
/** Milliseconds to wait for an answer from Redis. */
const PATIENCE = 3_000;
/** Milliseconds without requests after a timeout. */
const PAUSE = 500;

/** This process's complete copy of a tenant, as of a version. */
interface Mirror {
  readonly place: string;
  readonly start: () => StartRecords;
  born: string;
  version: string;
  records: TenantRecords;
  /** The last work of this process on the tenant. Work on a tenant runs in turn. */
  last: Promise<unknown>;
}

class Late extends Error {}

/**
 * Stores records in Redis for several mocks. Each keeps a copy and reads new changes. Conflicts are retried.
 * @param url `redis://HOST:PORT/DATABASE`, `rediss://` for TLS.
 * @throws ToolError `usage` if Redis does not answer, `engine-missing` if the client is not installed.
 */
export async function createRedisStore(url: string, base: BaseOf, health: StoreHealth): Promise<Store> {
  const client = await connect(url);
  const mirrors = new Map<string, Mirror>();
  let silentUntil = 0;

  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    // a request has just timed out: the requests queued behind it fail at once
    if (performance.now() < silentUntil) throw health.failed(SILENT);
    try {
      const answer = await inTime(work());
      health.worked();
      return answer;
    } catch (cause) {
      if (cause instanceof Late) silentUntil = performance.now() + PAUSE;
      throw health.failed(SILENT + reasonOf(cause), cause);
    }
  };

  const run = (script: string, { place, born, version }: Mirror, more: readonly string[] = []): Promise<unknown> =>
    ask(() => client.eval(script, { keys: keysAt(place), arguments: [born, version, ...more] }));

  const refresh = async (mirror: Mirror): Promise<void> => {
    const answer = await run(READ, mirror);
    const [born, version, names = [], bodies = []] = answer as [string, string, string[]?, string[]?];
    if (born !== mirror.born) mirror.records = new TenantRecords(mirror.start);
    // Redis returns them in the order of their last change
    const changes = names.map((name, index) => toChange(name, bodies[index] ?? ''));
    mirror.records.apply(changes.sort((a, b) => a.order - b.order));
    Object.assign(mirror, { born, version });
  };

  const work = async <T>(mirror: Mirror, piece: Work<T>): Promise<T> => {
    for (;;) {
      await refresh(mirror);
      const draft = new Draft(mirror.records);
      const result = piece(draft);
      if (draft.untouched) return result;
      const { changes } = draft;
      const texts = changes.flatMap((change) => [`${change.kind}/${change.id}`, toBody(change, mirror.start())]);
      const [born, version] = (await run(WRITE, mirror, [randomUUID(), ...texts])) as [string?, string?];
      if (born === undefined || version === undefined) continue;
      mirror.records.apply(changes);
      Object.assign(mirror, { born, version });
      return result;
    }
  };

  const transact = <T>(tenant: string, piece: Work<T>): Promise<T> => {
    const mirror = mirrors.get(tenant) ?? newMirror(placeOf(tenant), () => base(tenant));
    mirrors.set(tenant, mirror);
    const done = mirror.last.then(() => work(mirror, piece));
    mirror.last = done.catch(() => {});
    return done;
  };

  const keysLike = (pattern: string): Promise<string[]> =>
    ask(async () => {
      const found: string[] = [];
      // version 4 of the client yields single keys
      for await (const keys of client.scanIterator({ MATCH: pattern, COUNT: 500 })) found.push(...[keys].flat());
      return found;
    });

  return {
    transact,
    async signingKey() {
      const offered = randomBytes(32).toString('base64');
      // the first mock sets the key
      const key = await ask(async () => ((await client.setNX(KEY, offered)) ? offered : client.get(KEY)));
      return Buffer.from(key ?? offered, 'base64');
    },
    get problem() {
      return health.problem;
    },
    async tenants() {
      const found = await keysLike(`${TENANT}*${META}`);
      return found.map((key) => decodeURIComponent(key.slice(TENANT.length, -META.length))).sort();
    },
    async reset(tenant) {
      const keys = tenant === undefined ? await keysLike(`${TENANT}*`) : keysAt(placeOf(tenant));
      for (let at = 0; at < keys.length; at += 1_000) await ask(() => client.unlink(keys.slice(at, at + 1_000)));
      mirrors.clear();
    },
    async close() {
      end(client);
    },
  };
}

const SILENT = 'the Redis that keeps the state does not answer';

/** The error code in the answer of Redis, for example OOM. A reset helps only against foreign data under our keys. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  const [code] = /^[A-Z]+\b/.exec(message) ?? [];
  if (code === undefined) return '';
  const isForeign = /\bWRONGTYPE\b|not an integer/.test(message);
  return ` as it should (${code})${isForeign ? '; POST /__mock/reset empties it' : ''}`;
}

/** A frozen Redis accepts a command and never answers. @throws Late */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late()), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function newMirror(place: string, start: () => StartRecords): Mirror {
  return { place, start, born: '', version: '0', records: new TenantRecords(start), last: Promise.resolve() };
}

function placeOf(tenant: string): string {
  return TENANT + encodeURIComponent(tenant);
}

function keysAt(place: string): string[] {
  return [META, ':records', ':changes'].map((part) => place + part);
}

/** Empty if the record can be deleted. A removed record of the seed needs an entry. */
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
  // each call reports its own error; without a listener, an error event would end the process
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

/** Drops the connection at once. Version 4 of the client has another name for it. */
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

/** Turns the client's errors for an invalid address or database number into a ToolError. */
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
