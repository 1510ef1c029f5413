import { randomUUID } from 'node:crypto';
import { constants, existsSync, mkdirSync } from 'node:fs';
import { access, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ToolError } from '../errors.ts';

/**
 * Writes a file atomically: first a temporary file beside it, then a rename. After a crash the last complete file is
 * left, and two runs never mix. A symbolic link stays, and its target is written. Missing folders are created.
 * Throws `ToolError('file-unwritable')`.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeTogether({ [file]: text });
}

/** Writes files as `writeWhole` does, and replaces none before all texts are on the disk. Throws `ToolError('file-unwritable')`. */
export async function writeTogether(texts: Readonly<Record<string, string>>): Promise<void> {
  const written: { readonly file: string; readonly temporary: string; readonly real: string }[] = [];
  let at = '';
  try {
    for (const [file, text] of Object.entries(texts)) {
      at = file;
      // a device or a pipe (`/dev/stderr`) cannot be replaced by a rename
      if (await isSpecial(file)) {
        await writeFile(file, text);
        continue;
      }
      const real = await linkedFrom(file);
      const temporary = temporaryFor(real);
      written.push({ file, temporary, real });
      makeFolder(dirname(real));
      await writeFile(temporary, text, { flag: 'wx' });
    }
    for (const { file, temporary, real } of written) {
      at = file;
      await rename(temporary, real);
    }
  } catch (cause) {
    for (const { temporary } of written) await rm(temporary, { force: true }).catch(() => {});
    throw unwritable(at, cause);
  }
}

/** Checks before a long run that a file is writable. Throws `ToolError('file-unwritable')`. */
export async function assertWritable(file: string): Promise<void> {
  try {
    const existing = await stat(file).catch(() => null);
    if (existing?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    if (existing !== null) await access(file, constants.W_OK);
    if (existing === null || existing.isFile()) {
      const real = await linkedFrom(file);
      makeFolder(dirname(real));
      // a system may report write access and still fail (read-only file systems, a device as folder)
      const trial = temporaryFor(real);
      await writeFile(trial, '', { flag: 'wx' });
      await rm(trial);
    }
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

export function unwritable(file: string, cause: unknown): ToolError {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? 'unknown error';
  return new ToolError('file-unwritable', `It cannot be written (${code}).`, { place: { file }, cause });
}

/** Longest chain of links, as in Linux. */
const MOST_LINKS = 40;

async function linkedFrom(file: string): Promise<string> {
  let at = file;
  for (let links = 0; links <= MOST_LINKS; links++) {
    const next = await readlink(at).catch(() => null);
    if (next === null) return at;
    // a folder in the path may also be a link, and `..` starts from its target
    at = resolve(await realpath(dirname(at)), next);
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
}

function temporaryFor(file: string): string {
  return `${file}.${randomUUID()}.tmp`;
}

async function isSpecial(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
}

/** One by one: with `recursive: true`, Node 24 never returns if the system answers ENOENT to a mkdir in `/proc`. */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let each = resolve(folder); !existsSync(each); each = dirname(each)) missing.unshift(each);
  for (const each of missing) {
    try {
      mkdirSync(each);
    } catch (error) {
      // another process was faster
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
