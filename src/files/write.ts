import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../errors.ts';
import { makeFolder } from './folder.ts';

/**
 * Writes a file as a whole or not at all: into a file of its own beside it, then renamed, so that a crash leaves the last good one
 * and two runs never mix. Missing folders are made. Throws `ToolError('file-unwritable')`.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = temporaryFor(file);
  try {
    // a device or a pipe (`/dev/stderr`) cannot be replaced by a rename
    if (await isSpecial(file)) return await writeInto(file, text, 'w');
    makeFolder(dirname(file));
    await writeInto(temporary, text, 'wx');
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw unwritable(file, cause);
  }
}

/** Finds out before a long run whether a file can be written afterwards. Throws `ToolError('file-unwritable')`. */
export async function assertWritable(file: string): Promise<void> {
  try {
    const existing = await stat(file).catch(() => null);
    if (existing?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    if (existing !== null) await access(file, constants.W_OK);
    if (existing === null || existing.isFile()) {
      makeFolder(dirname(file));
      // asked for rights, a system may say yes and then refuse (read-only file systems, a device for a folder)
      const trial = temporaryFor(file);
      await writeInto(trial, '', 'wx');
      await rm(trial);
    }
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** What a failed write becomes. */
export function unwritable(file: string, cause: unknown): ToolError {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? 'unknown error';
  return new ToolError('file-unwritable', `It cannot be written (${code}).`, { place: { file }, cause });
}

function temporaryFor(file: string): string {
  return `${file}.${randomUUID()}.tmp`;
}

async function isSpecial(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
}

async function writeInto(file: string, text: string, flag: 'w' | 'wx'): Promise<void> {
  const handle = await open(file, flag);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
