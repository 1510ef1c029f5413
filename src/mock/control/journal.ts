import { createPseudonym, type JournalEntry, journalEntry } from '../../journal/entry.ts';
import type { Exchange } from '../../model/exchange.ts';
import { createRedactor, type Redactor } from '../../redact/redact.ts';
import type { Heard } from '../http/recorder.ts';
import type { JournalFilter } from '../mock.ts';
import type { MockCredentials } from '../tokens/token-endpoint.ts';

export type Journal = ReturnType<typeof createJournal>;

interface JournalOptions {
  readonly credentials: MockCredentials;
  readonly toExchange: (heard: Heard) => Exchange;
  readonly secrets?: () => readonly string[];
  /** Exchanges; 1 000 by default. */
  readonly most?: number;
  /** Bytes of all bodies together; 16 MiB by default. */
  readonly bytes?: number;
}

/** Bytes of one body, as many as the mock takes; larger ones are told to be there and not shown. */
const BODY_LIMIT = 1024 * 1024;

/** A bounded memory of exchanges. Entries are made and redacted when they are read, so that a request costs next to nothing. */
export function createJournal(options: JournalOptions) {
  const { most = 1_000, bytes = 16 * 1024 * 1024 } = options;
  const kept: Heard[] = [];
  const made = new WeakMap<Heard, JournalEntry>();
  const listeners = new Set<{ heard(): void; cleared(): void }>();
  const pseudonym = createPseudonym();
  let redactor: Redactor | undefined;
  let held = 0;
  let forgotten = 0;
  let ended = 0;
  let clears = 0;

  const entryOf = (heard: Heard): JournalEntry => {
    const before = made.get(heard);
    if (before) return before;
    const { credentials } = options;
    redactor ??= createRedactor({ secrets: [credentials.password], credentials: [credentials] });
    redactor.learnNames(options.secrets?.() ?? []);
    const entry = journalEntry(options.toExchange(heard), { redactor, pseudonym, bodyLimit: BODY_LIMIT });
    made.set(heard, entry);
    return entry;
  };

  return {
    add(heard: Heard): void {
      held += sizeOf(heard);
      kept.push(heard);
      ended += 1;
      while (kept.length > most || (held > bytes && kept.length > 1)) {
        const oldest = kept.shift();
        if (oldest) held -= sizeOf(oldest);
        forgotten += 1;
      }
      if (listeners.size > 0) for (const listener of listeners) listener.heard();
    },
    entries(filter: JournalFilter = {}): readonly JournalEntry[] {
      const found = kept.filter((heard) => matches(heard, filter));
      return found.slice(filter.limit === undefined ? 0 : Math.max(0, found.length - filter.limit)).map(entryOf);
    },
    clear(): void {
      kept.length = 0;
      held = 0;
      forgotten = 0;
      clears += 1;
      for (const listener of listeners) listener.cleared();
    },
    /** The exchange of a number, or the newest for which `wanted` holds; undefined where it was forgotten. */
    find(wanted: number | ((heard: Heard) => boolean)): Heard | undefined {
      return kept.findLast((heard) => (typeof wanted === 'number' ? heard.seq === wanted : wanted(heard)));
    },
    entryOf: (heard: Heard): JournalEntry => entryOf(heard),
    /** The exchange that ended as the nth since the start, from 1; undefined where it was forgotten, or has not come. */
    nth: (order: number): Heard | undefined => kept[kept.length - 1 - (ended - order)],
    get ended(): number {
      return ended;
    },
    get clears(): number {
      return clears;
    },
    /** Tells of every exchange from now on, and when all were forgotten, until what it returns is called. */
    listen(listener: { heard(): void; cleared(): void }): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** How many were forgotten since the last `clear`, because there were more than are kept. */
    get forgotten(): number {
      return forgotten;
    },
    get size(): number {
      return kept.length;
    },
  };
}

/** Answers are mostly the same ready bytes again and again, so that bodies alone would be counted too high; never too low. */
function sizeOf({ call, answer }: Heard): number {
  return (call.body?.length ?? 0) + (answer.body?.length ?? 0);
}

function matches(heard: Heard, { operationId, method, status, path, since }: JournalFilter): boolean {
  return (
    (operationId === undefined || (heard.trail.operation?.operationId ?? null) === operationId) &&
    (method === undefined || heard.call.method === method.toUpperCase()) &&
    (status === undefined || isStatus(heard.answer.status, status)) &&
    (path === undefined || heard.call.path.includes(path)) &&
    (since === undefined || heard.seq > since)
  );
}

function isStatus(actual: number, wanted: string): boolean {
  return /^\dxx$/i.test(wanted) ? String(actual)[0] === wanted[0] : String(actual) === wanted;
}
