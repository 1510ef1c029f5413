import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with this package's `package.json`, `spec/` and `mocks/`, seen from `src/` and from `dist/src/`. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

const EXTENSION = extname(import.meta.url);

/** Path of a module by its name from the root, as a source or built like the caller. Paths in a bundle are relative to the bundle. */
export function modulePath(name: string): string {
  return join(packageRoot, EXTENSION === '.js' ? 'dist' : '', name + EXTENSION);
}

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json above ${from}`);
  }
}
