import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The Pactum files of a folder, in the order in which they run. Empty without the folder. */
export async function pactumFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => /\.contract\.[jt]s$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
