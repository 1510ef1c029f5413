import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
