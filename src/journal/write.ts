import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { ToolError } from '../errors.ts';
import { makeFolder, unwritable } from '../files/write.ts';
import type { Exchange } from '../model/exchange.ts';
import { createRedactor, type Redactor } from '../redact/redact.ts';
import { parseJson } from '../text/decode.ts';
import { createPseudonym, type JournalEntry, journalEntry } from './entry.ts';
import { createShapes } from './shapes.ts';

export type { JournalEntry } from './entry.ts';

/** Takes whole lines, each with its line end; or the entry itself, already redacted. */
export type JournalSink = (line: string, entry: JournalEntry) => void;

export interface JournalOptions {
  /** Knows the secrets of the run; without it only position and patterns protect. */
  readonly redactor?: Redactor;
  /** Bodies above this size are left out (`omitted`). Bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Keep types in place of values. The paths of this contract tell the fixed words of a path from ids. */
  readonly shapes?: Pick<Contract, 'operations'>;
  /** Key of the pseudonyms, random by default. */
  readonly key?: Uint8Array;
  /** Add to an existing file rather than start it anew. Pseudonyms are those of this writer. A line that was cut off is taken away. */
  readonly append?: boolean;
  /** Bytes above which a file is put aside as `FILE.1`, `FILE.2` and so on, and a new one begun. No limit by default. */
  readonly fileLimit?: number;
  /** Told once when a line cannot be written; `close` throws the same. */
  readonly onError?: (error: ToolError) => void;
}

export interface JournalWriter {
  /** Number of the last exchange that stands in the file already; 0 in a new one. Numbering goes on from it. */
  readonly last: number;
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
  const reduce = options.shapes === undefined ? null : createShapes(options.shapes, options.key);
  const toEntry = (exchange: Exchange): JournalEntry => {
    const entry = journalEntry(exchange, entryOptions);
    return reduce === null ? entry : reduce(entry);
  };
  if (typeof target === 'function') {
    return {
      last: 0,
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
  let descriptor = openFile(file, options.append === true ? 'a+' : 'w');
  const { size: before, last } = options.append === true ? continued(descriptor, file) : { size: 0, last: 0 };
  let size = before;
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
      if (size > 0 && size + bytes.length > (options.fileLimit ?? Number.POSITIVE_INFINITY)) rotate();
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
      size += bytes.length;
    } catch (cause) {
      failed = unwritable(file, cause);
      options.onError?.(failed);
    }
  }

  function rotate(): void {
    if (!fstatSync(descriptor).isFile()) return;
    let number = 1;
    while (existsSync(`${file}.${number}`)) number += 1;
    renameSync(file, `${file}.${number}`);
    closeSync(descriptor);
    descriptor = openFile(file, 'w');
    size = 0;
  }

  return {
    last,
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

/** A journal shows a caller's traffic: only its owner may read it. */
const OWNER_ONLY = 0o600;

function openFile(file: string, flags: 'a+' | 'w'): number {
  try {
    makeFolder(dirname(file));
    const descriptor = openSync(file, flags, OWNER_ONLY);
    // One that was there before may have been open to others; a pipe or a device is what it is.
    if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, OWNER_ONLY);
    return descriptor;
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** Bytes from the end of a journal in which its last line is looked for: bodies are at most 1 MiB each, and grow when they are escaped. */
const FARTHEST = 16 * 1024 * 1024;

/** Size of a journal and the number of its last exchange; what a killed writer left of a line is taken away. */
function continued(descriptor: number, file: string): { size: number; last: number } {
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.size === 0) return { size: 0, last: 0 };
    const from = Math.max(0, found.size - FARTHEST);
    const tail = Buffer.alloc(found.size - from);
    readSync(descriptor, tail, 0, tail.length, from);
    const end = tail.lastIndexOf(LINE_FEED) + 1;
    const start = end < 2 ? 0 : tail.lastIndexOf(LINE_FEED, end - 2) + 1;
    const last = lastOf(tail.toString('utf8', start, end));
    if (last === null) {
      throw new ToolError('file-unwritable', 'It is no journal, so that nothing is added to it.', { place: { file } });
    }
    ftruncateSync(descriptor, from + end);
    return { size: from + end, last };
  } catch (cause) {
    closeSync(descriptor);
    throw cause instanceof ToolError ? cause : unwritable(file, cause);
  }
}

const LINE_FEED = 0x0a;

/** The number of the exchange in a line, 0 where there is no line, null where it is something else. */
function lastOf(line: string): number | null {
  if (line.trim() === '') return 0;
  const seq = (parseJson(line) as { readonly seq?: unknown } | null | undefined)?.seq;
  return typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : null;
}

/** An exchange that was numbered from 1, renumbered for a journal that is continued. */
export function numberedAfter(exchange: Exchange, last: number): Exchange {
  if (last === 0) return exchange;
  const { seq, connection } = exchange;
  // There are never more connections than exchanges.
  return { ...exchange, seq: seq + last, connection: connection === null ? null : connection + last };
}
