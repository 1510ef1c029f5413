import { fileURLToPath } from 'node:url';
import { evolve } from '../../src/drive/evolve.ts';

export interface Reader {
  readonly name: string;
  /** What it does, as in the table of docs/survive.md. */
  readonly what: string;
  /** The changes that it does not tolerate, in the order of the report. */
  readonly breaks: readonly string[];
}

export const readerFile: string = fileURLToPath(new URL('./readers/reader.mjs', import.meta.url));

/** Ways of `reader.mjs`. */
export const READERS: readonly Reader[] = [
  { name: 'tolerant', what: 'reads what it needs', breaks: [] },
  { name: 'finds', what: 'looks for its new card in the list', breaks: [] },
  { name: 'members', what: 'rejects unknown members', breaks: ['getCard:members'] },
  { name: 'words', what: 'lists all words of a status', breaks: ['listClientCards:word:/*/status'] },
  { name: 'int32', what: 'stores an amount in 32 bits', breaks: ['getCard:large:/cardLimitDaily'] },
  { name: 'column', what: 'stores an id in 32 characters', breaks: ['listClientCards:long-id:/*/cardId'] },
  { name: 'order', what: 'reads members by their position', breaks: ['listClientCards:order'] },
  { name: 'status', what: 'expects 200', breaks: ['getCard:status', 'listClientCards:status'] },
  { name: 'first', what: 'takes the first of a list', breaks: ['listClientCards:empty'] },
  { name: 'page', what: 'expects at most 100 items', breaks: ['listClientCards:many'] },
  { name: 'silent', what: 'writes only after a status that it knows', breaks: ['listClientCards:word:/*/status'] },
];

/** The ids of the changes that a reader does not tolerate. */
export async function evolveAll({ name }: Reader, only: readonly string[] = []) {
  const command = [process.execPath, readerFile, name];
  const signal = AbortSignal.timeout(200_000);
  const about = { command, env: process.env, cwd: process.cwd(), timeout: 60, signal };
  const evolved = await evolve({ ...about, isHostile: false, only });
  return { evolved, breaks: evolved.causes.map(({ mutations }) => mutations.map(({ id }) => id).join(' + ')).sort() };
}
