import { closeSync, constants, openSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, ToolError } from '../errors.ts';

export const KIB = 1024;
export const MIB: number = 1024 * KIB;

export interface FileKind {
  readonly what: string;
  readonly setting: string;
  /** Largest size in bytes. */
  readonly most: number;
  readonly code: ErrorCode;
}

/** At each limit, reading or rejecting takes at most two seconds and 300 MB. */
export const CONFIG: FileKind = { what: 'configuration', setting: '--config', most: 256 * KIB, code: 'config' };
export const SCENARIO: FileKind = { what: 'scenario', setting: '--scenario', most: 256 * KIB, code: 'usage' };
export const PROFILE: FileKind = { what: 'profile', setting: '--profile', most: 256 * KIB, code: 'config' };
export const SEED: FileKind = { what: 'seed', setting: '--seed-data', most: 20 * MIB, code: 'config' };
export const BASELINE: FileKind = { what: 'baseline', setting: '--baseline', most: 20 * MIB, code: 'baseline-invalid' };
/** `contract.yaml`, and the parts of a contract without a limit of their own. */
export const PART: FileKind = { what: 'part of the contract', setting: '--contract', most: MIB, code: 'spec-invalid' };
/** A document of a contract, an overlay or a recording. */
export const DOCUMENT: FileKind = {
  what: 'document',
  setting: '--contract or --overlay',
  most: 32 * MIB,
  code: 'spec-invalid',
};
/** Reports, keys, and captured traffic. */
export const OTHER: FileKind = { what: 'file', setting: 'as it was given', most: 256 * MIB, code: 'file-unreadable' };

/** Text of a file. Throws `ToolError` `file-missing` or `file-unreadable`, naming the file. */
export async function readTextFile(file: string, kind: FileKind = OTHER): Promise<string> {
  try {
    return (await readBounded(file, kind)).toString('utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

export function unreadable(file: string, cause: unknown): ToolError {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ToolError('file-missing', 'The file does not exist.', { place: { file } });
  }
  if (cause instanceof FileTooLarge) return new ToolError('file-unreadable', cause.message, { place: { file }, cause });
  const why = code === 'EISDIR' ? 'It is a folder.' : `It cannot be read (${code ?? 'unknown error'}).`;
  return new ToolError('file-unreadable', why, { place: { file }, cause });
}

export function unlessMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  return reading.catch((error: unknown) => {
    if (error instanceof ToolError && error.code === 'file-missing') return otherwise;
    throw error;
  });
}

const CHUNK = MIB / 4;
/** Longest wait for the writer of a pipe, in milliseconds. */
const PATIENCE = 5000;

export class FileTooLarge extends Error {
  override readonly name: string = 'FileTooLarge';

  /** @param size in bytes, if it is known */
  constructor({ what, setting, most }: FileKind, size?: number) {
    const met = size === undefined ? '' : ` It has ${sizeText(size)}.`;
    super(`The ${what} (${setting}) is larger than ${sizeText(most)}, the limit.${met}`);
  }
}

/** A size for people, rounded up so that a size above a limit never looks equal to it. */
function sizeText(bytes: number): string {
  return bytes < MIB ? `${Math.ceil(bytes / KIB)} kB` : `${Math.ceil((bytes / MIB) * 10) / 10} MB`;
}

/**
 * Bytes of a file, a pipe or a device. Does not trust the reported size.
 *
 * @throws FileTooLarge beyond the limit; `ETIMEDOUT` if a pipe gets no writer; errors of the system
 */
export async function readBounded(path: string, kind: FileKind): Promise<Buffer> {
  const handle = await openToRead(path);
  try {
    const claimed = (await handle.stat()).size;
    if (claimed > kind.most) throw new FileTooLarge(kind, claimed);
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      // a file with a true size is one chunk, without a copy
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size === 0 && claimed > 0 ? claimed : CHUNK));
      if (bytesRead === 0) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
      size += bytesRead;
      if (size > kind.most) throw new FileTooLarge(kind);
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file for reading. Opening a pipe blocks until it has a writer, and so would the exit of the process.
 * @throws `ETIMEDOUT` if a pipe gets no writer; errors of the system
 */
export async function openToRead(path: string): Promise<FileHandle> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    release(path);
  }, PATIENCE);
  try {
    const handle = await open(path);
    // a busy process may also be late, so check that it is a pipe
    if (!late || !(await handle.stat()).isFIFO()) return handle;
    await handle.close();
    throw Object.assign(new Error('no process writes to the pipe'), { code: 'ETIMEDOUT' });
  } finally {
    clearTimeout(timer);
  }
}

/** Unblocks a pipe that waits for a writer, with one that writes nothing. */
function release(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // it is no pipe, or the wait has ended
  }
}

export async function yamlFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.yaml')).sort();
  return new Map(files.map((file) => [file.slice(0, -'.yaml'.length), join(folder, file)]));
}
