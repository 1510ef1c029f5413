import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '../../errors.ts';
import { makeFolder, unwritable } from '../../files/write.ts';
import { type RecordChange, TenantRecords, type Value } from '../state/records.ts';
import { forgetIn, inMemory } from './memory.ts';
import type { BaseOf, Store, StoreHealth } from './store.ts';

/** Marks a SQLite file as ours: `BKm1` in ASCII. */
const APPLICATION = 0x424b6d31;
const VERSION = 2;

interface Row {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
  readonly place: number;
  readonly body: string;
}

/**
 * Stores records in SQLite, with a copy in memory. A change is on disk before its answer. One mock per file.
 * @throws ToolError `file-unwritable` if the file cannot be used, `usage` if another mock uses it.
 */
export async function createFileStore(file: string, base: BaseOf, health: StoreHealth): Promise<Store> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = open(() => new DatabaseSync(touched(file)), file);
  const run = <T>(work: () => T): T => open(work, file, () => database.close());
  run(() => prepare(database, file));
  const tenants = run(() => load(database, base));
  const write = database.prepare(
    'INSERT INTO records (tenant, kind, id, place, body) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT (tenant, kind, id) DO UPDATE SET place = excluded.place, body = excluded.body',
  );
  const forget = database.prepare('DELETE FROM records WHERE tenant = ? AND kind = ? AND id = ?');
  const forgetAll = database.prepare('DELETE FROM records WHERE tenant = ?');
  let closed = false;

  /** Handles SQLite errors while the mock runs, for example a full disk or a deleted file. */
  const attempt = <T>(what: string, work: () => T): T => {
    try {
      const done = work();
      health.worked();
      return done;
    } catch (cause) {
      throw health.failed(`the store cannot ${what}: ${reasonOf(cause)}`, cause);
    }
  };

  const keep = (tenant: string, changes: readonly RecordChange[]): void => {
    attempt('keep the change', () => {
      try {
        commit(tenant, changes);
      } catch (cause) {
        if (!closed && database.isTransaction) database.exec('ROLLBACK');
        throw cause;
      }
    });
  };

  const commit = (tenant: string, changes: readonly RecordChange[]): void => {
    database.exec('BEGIN IMMEDIATE');
    for (const { kind, id, order, value } of changes) {
      // a removed record of the seed needs an entry
      if (value === null && !base(tenant)[kind]?.has(id)) forget.run(tenant, kind, id);
      else write.run(tenant, kind, id, order, JSON.stringify(value));
    }
    database.exec('COMMIT');
  };

  return {
    transact: inMemory(tenants, base, keep),
    get problem() {
      return health.problem;
    },
    tenants: () => [...tenants.keys()].sort(),
    reset(tenant) {
      attempt('clear it', () => {
        if (tenant === undefined) database.exec('DELETE FROM records');
        else forgetAll.run(tenant);
      });
      forgetIn(tenants, tenant);
    },
    close() {
      if (closed) return;
      closed = true;
      database.close();
    },
  };
}

type Database = InstanceType<typeof import('node:sqlite').DatabaseSync>;

/** SQLite does not create folders and hardly explains why it cannot open a file. */
function touched(file: string): string {
  try {
    makeFolder(dirname(file));
    closeSync(openSync(file, 'a'));
  } catch (cause) {
    throw unwritable(file, cause);
  }
  return file;
}

function prepare(database: Database, file: string): void {
  // exclusive: no other process may change the records that this mock holds in memory
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const before = database.prepare('PRAGMA application_id').get() as { application_id: number };
  const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
  if (before.application_id !== APPLICATION && tables.count > 0) {
    throw new ToolError('file-unwritable', 'It is a database of something else.', { place: { file } });
  }
  // FULL: each commit reaches the disk
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(`PRAGMA application_id = ${APPLICATION}`);
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version !== 0 && version !== VERSION) {
    throw new ToolError('file-unwritable', 'Another version of this tool wrote it.', { place: { file } });
  }
  database.exec(`PRAGMA user_version = ${VERSION}`);
  database.exec(
    'CREATE TABLE IF NOT EXISTS records (tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, ' +
      'place INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, kind, id)) STRICT, WITHOUT ROWID',
  );
}

function load(database: Database, base: BaseOf): Map<string, TenantRecords> {
  const tenants = new Map<string, TenantRecords>();
  const rows = database.prepare('SELECT tenant, kind, id, place, body FROM records ORDER BY place').iterate();
  for (const row of rows as Iterable<unknown> as Iterable<Row>) {
    const records = tenants.get(row.tenant) ?? new TenantRecords(() => base(row.tenant));
    tenants.set(row.tenant, records);
    const value = JSON.parse(row.body) as Value | null;
    records.apply([{ kind: row.kind, id: row.id, order: row.place, value }]);
  }
  return tenants;
}

/** Runs SQLite code and turns its errors into errors that name the file. */
function open<T>(work: () => T, file: string, undo?: () => void): T {
  try {
    return work();
  } catch (cause) {
    undo?.();
    if (cause instanceof ToolError) throw cause;
    if (/locked|busy/i.test(reasonOf(cause))) {
      throw new ToolError('usage', 'Another mock has this store.', {
        place: { file },
        hint: 'Several mocks share one with --store redis://HOST:PORT.',
        cause,
      });
    }
    throw new ToolError('file-unwritable', `It cannot be used as a store (${reasonOf(cause)}).`, {
      place: { file },
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
