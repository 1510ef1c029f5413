import { ToolError } from '../../errors.ts';
import { type Base, type Change, Draft, TenantRecords, type Value } from '../state/records.ts';
import { READ, WRITE } from './redis-scripts.ts';
import { type Store, StoreError, type Work } from './store.ts';

const PREFIX = 'banking-api-mock:';
/** Milliseconds that a Redis has to answer. */
const PATIENCE = 3_000;

/** What this process knows of a tenant: all of it, as of a version. */
interface Mirror {
  born: string;
  version: string;
  records: TenantRecords;
  /** The pieces of work of this process on the tenant, one after the other. */
  last: Promise<unknown>;
}

/**
 * Keeps the records in a Redis, for several mocks at once. Each mock has a copy in memory and asks for what was changed since; a piece of
 * work is kept only if nobody was faster, else it is done again.
 *
 * @param url `redis://HOST:PORT/DATABASE`, `rediss://` for TLS.
 * @throws ToolError `usage` for a Redis that does not answer, `engine-missing` where its client is not installed.
 */
export async function createRedisStore(url: string, base: () => Base): Promise<Store> {
  const client = await connect(url);
  const mirrors = new Map<string, Mirror>();

  const ask = async (script: string, keys: string[], values: string[]): Promise<readonly unknown[]> => {
    try {
      return (await client.eval(script, { keys, arguments: values })) as unknown as readonly unknown[];
    } catch (cause) {
      throw new StoreError('the Redis that keeps the state does not answer', { cause });
    }
  };

  /** Brings the copy up to date. */
  const refresh = async (tenant: string, mirror: Mirror): Promise<void> => {
    const answer = await ask(READ, keysOf(tenant).slice(0, 3), [mirror.born, mirror.version]);
    const [born, version, names = [], bodies = []] = answer as [string, string, string[]?, string[]?];
    if (born !== mirror.born) mirror.records = new TenantRecords(base);
    mirror.records.apply(names.map((name, index) => toChange(name, bodies[index] ?? '')));
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
      const texts = changes.flatMap((change) => [`${change.kind}/${change.id}`, toBody(change, base())]);
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
      const mirror = mirrors.get(tenant) ?? newMirror(base);
      mirrors.set(tenant, mirror);
      const done = mirror.last.then(() => work(tenant, mirror, piece));
      mirror.last = done.catch(() => {});
      return done;
    },
    async reset() {
      // the clock stays: a tenant that begins anew is known by it
      for await (const keys of client.scanIterator({ MATCH: `${PREFIX}customer:*`, COUNT: 500 })) {
        if (keys.length > 0) await client.unlink(keys);
      }
    },
    async close() {
      if (client.isOpen) client.destroy();
    },
  };
}

function newMirror(base: () => Base): Mirror {
  return { born: '0', version: '0', records: new TenantRecords(base), last: Promise.resolve() };
}

function keysOf(tenant: string): string[] {
  const customer = `${PREFIX}customer:${encodeURIComponent(tenant)}`;
  return [`${customer}:meta`, `${customer}:records`, `${customer}:changes`, `${PREFIX}clock`];
}

/** Nothing need be kept of what was made and is gone; what the seed holds must be known to be gone. */
function toBody({ kind, id, order, value }: Change, base: Base): string {
  return value === null && !base[kind]?.has(id) ? '' : JSON.stringify([order, value]);
}

function toChange(name: string, body: string): Change {
  const slash = name.indexOf('/');
  const [order, value] = body === '' ? [0, null] : (JSON.parse(body) as [number, Value | null]);
  return { kind: name.slice(0, slash), id: name.slice(slash + 1), order, value };
}

async function connect(url: string) {
  const { createClient } = await load();
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: PATIENCE },
    socket: {
      connectTimeout: PATIENCE,
      reconnectStrategy: (tries, cause) => (opened ? Math.min(2_000, 50 * (tries + 1)) : cause),
    },
  });
  let opened = false;
  // told to whoever asks meanwhile; unheard, it would end the process
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
  } catch (cause) {
    if (client.isOpen) client.destroy();
    const code = (cause as NodeJS.ErrnoException | null)?.code;
    throw new ToolError('usage', `The Redis at ${hostOf(url)} cannot be used${code ? ` (${code})` : ''}.`, {
      hint: 'Start one, or leave --store out to keep the state in memory.',
      cause,
    });
  }
  opened = true;
  return client;
}

async function load(): Promise<typeof import('redis')> {
  try {
    return await import('redis');
  } catch (cause) {
    throw new ToolError('engine-missing', 'The client of Redis is not installed, and this store needs it.', {
      hint: 'Add it with: npm install redis (or install without --omit=optional).',
      cause,
    });
  }
}

/** Without user and password. */
function hostOf(url: string): string {
  return URL.parse(url)?.host || 'that address';
}
