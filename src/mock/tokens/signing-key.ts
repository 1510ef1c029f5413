import { randomBytes, randomUUID } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../../errors.ts';
import { readTextFile, unlessMissing } from '../../files/read.ts';
import { makeFolder, unwritable } from '../../files/write.ts';

/** Bytes of a generated key, and the minimum for a given key (RFC 7518, 3.2). */
const SIZE = 32;
/** Both alphabets of base64, with or without padding. */
const TEXT = /^[\w+/-]+={0,2}$/;
/** Only the owner may read it. */
const MODE = 0o600;

/**
 * Reads the key from a file with one line of base64. Creates the file if it is missing.
 * @throws ToolError `usage` if the file holds no key, `file-unwritable` if it cannot be created.
 */
export async function openSigningKey(file: string): Promise<Uint8Array> {
  const text = (await unlessMissing(readTextFile(file), undefined)) ?? (await make(file));
  const key = Buffer.from(TEXT.test(text.trim()) ? text.trim() : '', 'base64');
  if (key.length >= SIZE) return key;
  throw new ToolError('usage', `It holds no signing key: one line of base64, of ${SIZE} bytes at least.`, {
    place: { file },
    hint: 'Name a file that is not there, and a key is made.',
  });
}

/** Several mocks may start at once. They all use the first key, and read it only when it is complete. */
async function make(file: string): Promise<string> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    makeFolder(dirname(file));
    await writeFile(temporary, `${randomBytes(SIZE).toString('base64url')}\n`, { flag: 'wx', mode: MODE });
    await link(temporary, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(file, cause);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
  return readTextFile(file);
}
