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

/** Receives whole lines, each with its line end, and the redacted entry. */
export type JournalSink = (line: string, entry: JournalEntry) => void;

export interface JournalOptions {
  /** Holds the secrets of the run. Without it, only position and patterns protect secrets. */
  readonly redactor?: Redactor;
  /** Larger bodies are left out (`omitted`). Bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Keep types instead of values. The paths of this contract separate fixed words from ids. */
  readonly shapes?: Pick<Contract, 'operations'>;
  /** Key of the pseudonyms, random by default. */
  readonly key?: Uint8Array;
  /** Append to an existing file, without its incomplete last line. Older pseudonyms match only with the same key. */
  readonly append?: boolean;
  /** Largest file in bytes. A full file is renamed to `FILE.1`, `FILE.2` and so on. No limit by default. */
  readonly fileLimit?: number;
  /** Called once if a line cannot be written. `close` throws the same error. */
  readonly onError?: (error: ToolError) => void;
}

export interface JournalWriter {
  /** Number of the last exchange that the file already had; 0 in a new file. Numbering continues from it. */
  readonly last: number;
  /** Adds one exchange. Never throws, and waits for the disk no longer than a write to the page cache takes. */
  append(exchange: Exchange): void;
  /** Writes the remaining lines. Throws `ToolError('file-unwritable')` if a line could not be written. */
  close(): Promise<void>;
}

export interface JournalFile extends JournalWriter {
  /** Adds lines that a proxy has already redacted, each with its line end. Never throws. */
  write(lines: string): void;
}

const BATCH_CHARS = 64 * 1024;
const ONE_MIB = 1024 * 1024;

/**
 * A journal: one redacted line per exchange, written to a file or a function.
 * Lines are collected for one turn of the event loop, at most 64 Ki characters, and written whole. So a killed process
 * leaves whole lines. Throws `ToolError('file-unwritable')` at once if the file cannot be opened.
 */
export function createJournalWriter(target: string, options?: JournalOptions): JournalFile;
export function createJournalWriter(target: JournalSink, options?: JournalOptions): JournalWriter;
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
): JournalFile {
  let descriptor = openFile(file, options.append === true ? 'a+' : 'w');
  const { size: before, last } = options.append === true ? continued(descriptor, file) : { size: 0, last: 0 };
  restrict(descriptor);
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
    restrict(descriptor);
    size = 0;
  }

  function write(lines: string): void {
    if (failed !== undefined || closed) return;
    pending.push(lines);
    chars += lines.length;
    if (chars >= BATCH_CHARS) flush();
    else scheduled ??= setImmediate(flush);
  }

  return {
    last,
    append: (exchange) => write(`${JSON.stringify(toEntry(exchange))}\n`),
    write,
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

/** A journal shows a caller's traffic, so only its owner may read it. */
const OWNER_ONLY = 0o600;

function openFile(file: string, flags: 'a+' | 'w'): number {
  try {
    makeFolder(dirname(file));
    return openSync(file, flags, OWNER_ONLY);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** An existing file may have been readable by others. A pipe or a device keeps its mode. */
function restrict(descriptor: number): void {
  if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, OWNER_ONLY);
}

/** Largest distance of the last line's start from the end of a journal. Bodies are at most 1 MiB before escaping. */
const FARTHEST = 16 * 1024 * 1024;

/** Size of a journal and the number of its last exchange. The incomplete line of a killed writer is removed. */
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
    // before its first line end, only the start of an entry shows that this is a journal
    const isOther = end === 0 && tail.toString('utf8', 0, BEGINNING.length) !== BEGINNING.slice(0, tail.length);
    if (last === null || isOther) {
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
const BEGINNING = '{"v":';

/** The number of the exchange in a line; 0 for an empty line, null for anything else. */
function lastOf(line: string): number | null {
  if (line.trim() === '') return 0;
  const seq = (parseJson(line) as { readonly seq?: unknown } | null | undefined)?.seq;
  return typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : null;
}

/** Renumbers an exchange for a journal that is continued. */
export function numberedAfter(exchange: Exchange, last: number): Exchange {
  if (last === 0) return exchange;
  const { seq, connection } = exchange;
  // There are never more connections than exchanges.
  return { ...exchange, seq: seq + last, connection: connection === null ? null : connection + last };
}
