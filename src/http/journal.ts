import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ToolError } from '../errors.ts';
import { makeFolder } from '../files/folder.ts';
import { unwritable } from '../files/write.ts';
import type { Exchange } from './exchange.ts';
import { createPseudonym, type JournalEntry, journalEntry } from './journal/entry.ts';
import { createRedactor, type Redactor } from './redact.ts';

export type { JournalBody } from './journal/body.ts';
export type { JournalEntry } from './journal/entry.ts';

/** Takes whole lines, each with its line end; or the entry itself, already redacted. */
export type JournalSink = (line: string, entry: JournalEntry) => void;

export interface JournalOptions {
  /** Knows the secrets of the run; without it only position and patterns protect. */
  readonly redactor?: Redactor;
  /** Bodies above this size are left out (`omitted`). Bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Key of the token pseudonyms, random by default. */
  readonly key?: Uint8Array;
  /** Add to an existing file rather than start it anew. Pseudonyms are those of this writer. */
  readonly append?: boolean;
  /** Told once when a line cannot be written; `close` throws the same. */
  readonly onError?: (error: ToolError) => void;
}

export interface JournalWriter {
  /** Takes one exchange. Never throws and never waits for the disk longer than a write to the page cache takes. */
  append(exchange: Exchange): void;
  /** Writes what is left. Throws `ToolError('file-unwritable')` where a line could not be written. */
  close(): Promise<void>;
}

const BATCH_CHARS = 64 * 1024;
const ONE_MIB = 1024 * 1024;

/**
 * A journal: one redacted line per exchange, into a file or a function.
 * Lines are gathered for one turn of the event loop, at most 64 Ki characters, and written whole, so that memory stays bounded and a
 * killed process leaves whole lines. Throws `ToolError('file-unwritable')` at once when the file cannot be opened.
 */
export function createJournalWriter(target: string | JournalSink, options: JournalOptions = {}): JournalWriter {
  const entryOptions = {
    redactor: options.redactor ?? createRedactor(),
    pseudonym: createPseudonym(options.key),
    bodyLimit: options.bodyLimit ?? ONE_MIB,
  };
  const toEntry = (exchange: Exchange): JournalEntry => journalEntry(exchange, entryOptions);
  if (typeof target === 'function') {
    return {
      append(exchange) {
        const entry = toEntry(exchange);
        target(`${JSON.stringify(entry)}\n`, entry);
      },
      close: async () => {},
    };
  }
  return createFileWriter(target, toEntry, options);
}

function createFileWriter(
  file: string,
  toEntry: (exchange: Exchange) => JournalEntry,
  options: JournalOptions,
): JournalWriter {
  const descriptor = openFile(file, options.append === true ? 'a' : 'w');
  let pending: string[] = [];
  let chars = 0;
  let scheduled: NodeJS.Immediate | undefined;
  let failed: ToolError | undefined;
  let closed = false;

  function flush(): void {
    if (scheduled !== undefined) clearImmediate(scheduled);
    scheduled = undefined;
    const bytes = Buffer.from(pending.join(''), 'utf8');
    pending = [];
    chars = 0;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
    } catch (cause) {
      failed = unwritable(file, cause);
      options.onError?.(failed);
    }
  }

  return {
    append(exchange) {
      if (failed !== undefined || closed) return;
      const line = `${JSON.stringify(toEntry(exchange))}\n`;
      pending.push(line);
      chars += line.length;
      if (chars >= BATCH_CHARS) flush();
      else scheduled ??= setImmediate(flush);
    },
    async close() {
      if (closed) return;
      closed = true;
      if (failed === undefined) flush();
      try {
        fsyncSync(descriptor);
      } catch {
        // a pipe or a device cannot be synchronised
      }
      closeSync(descriptor);
      if (failed !== undefined) throw failed;
    },
  };
}

function openFile(file: string, flags: 'a' | 'w'): number {
  try {
    makeFolder(dirname(file));
    return openSync(file, flags);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}
