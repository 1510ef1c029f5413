import { createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unreadable } from '../files/read.ts';
import { makeFolder, unwritable } from '../files/write.ts';

const KEY_FILE = 'ids.key';

/**
 * Makes digests of ids with the key of a history, which is written on the first night. Reports contain the digests, but
 * not the key.
 */
export async function digestIn(folder: string): Promise<(value: string) => string> {
  const file = join(folder, KEY_FILE);
  const key = await readFile(file).catch(async (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw unreadable(file, cause);
    const fresh = randomBytes(32);
    makeFolder(folder);
    await writeFile(file, fresh, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw unwritable(file, error);
    });
    return fresh;
  });
  return (value) => createHmac('sha256', key).update(value).digest('hex').slice(0, 16);
}
