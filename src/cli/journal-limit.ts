import type { JournalOptions } from '../journal/write.ts';
import type { Args } from './command.ts';

const MIB = 1024 * 1024;

/** `--journal-limit`, as an option of the journal's writer. */
export function fileLimitOf(args: Args): Pick<JournalOptions, 'fileLimit'> {
  const mebibytes = args.integer('journal-limit', { min: 1, max: 1024 * 1024 });
  return mebibytes === undefined ? {} : { fileLimit: mebibytes * MIB };
}
