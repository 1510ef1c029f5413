import { existsSync, mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes a folder and those above it. One by one: `recursive: true` of Node 24 never returns where the system answers ENOENT to a
 * mkdir in a folder that is there (`/proc`).
 */
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

/** The YAML files of a folder by their names without the ending, sorted; none where there is no such folder. */
export async function yamlFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.yaml')).sort();
  return new Map(files.map((file) => [file.slice(0, -'.yaml'.length), join(folder, file)]));
}
