import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../../errors.ts';
import { readTextFile, unlessMissing } from '../../files/read.ts';
import { makeFolder, unwritable } from '../../files/write.ts';
import { type End, type Ends, NO_ENDS, withEnd } from './token-authority.ts';

/** Bytes of a key that is made, and the least that one may have (RFC 7518, 3.2). */
const SIZE = 32;
/** Both alphabets of base64, with or without padding. */
const TEXT = /^[\w+/-]+={0,2}$/;
/** Only the owner may read it. */
const MODE = 0o600;

/** A key in a file, and what was ended of the tokens that it signed. */
export interface SigningKey {
  readonly key: Uint8Array;
  readonly ends: Ends;
  /** Keeps an end on the disk. Throws ToolError `file-unwritable`. */
  keep(end: End): void;
}

/**
 * Reads the key of a file, one line of base64, and makes the file where it is missing. Beside it, in `FILE.ended`, stands what was
 * revoked or expired on purpose: with the key alone such tokens would come back to life.
 *
 * @throws ToolError `usage` for a file that holds no key, `file-unwritable` for one that cannot be made.
 */
export async function openSigningKey(file: string, now: () => number): Promise<SigningKey> {
  const text = (await unlessMissing(readTextFile(file), undefined)) ?? (await make(file));
  const key = Buffer.from(TEXT.test(text.trim()) ? text.trim() : '', 'base64');
  if (key.length < SIZE) {
    throw new ToolError('usage', `It holds no signing key: one line of base64, of ${SIZE} bytes at least.`, {
      place: { file },
      hint: 'Name a file that is not there, and a key is made.',
    });
  }
  const beside = `${file}.ended`;
  return {
    key,
    ends: readEnds(beside),
    keep(end) {
      // read anew: another mock with the same key may have ended others
      writeOwned(beside, JSON.stringify(withEnd(readEnds(beside), end, now())));
    },
  };
}

/** Several mocks may start at once: the first key counts, and none of them reads half of it. */
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

function readEnds(file: string): Ends {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return NO_ENDS;
    throw new ToolError('usage', `It cannot be read (${(cause as NodeJS.ErrnoException).code}).`, {
      place: { file },
      cause,
    });
  }
  const ends = parsed(text);
  if (ends) return ends;
  throw new ToolError('usage', 'It does not say which tokens were ended.', {
    place: { file },
    hint: 'Delete it together with the key beside it: tokens that were revoked must not come back.',
  });
}

function parsed(text: string): Ends | undefined {
  try {
    const { generations, tokens } = JSON.parse(text) as Partial<Ends>;
    const isEnd = (how: unknown): boolean => how === 'expired' || how === 'revoked';
    const hold =
      Array.isArray(generations) &&
      generations.every(isEnd) &&
      typeof tokens === 'object' &&
      Object.values(tokens).every(({ how, exp }) => isEnd(how) && typeof exp === 'number');
    return hold ? { generations, tokens } : undefined;
  } catch {
    return undefined;
  }
}

/** At once, so that what was revoked is so for good before anybody is told. */
function writeOwned(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: MODE, flush: true });
    renameSync(temporary, file);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw unwritable(file, cause);
  }
}
