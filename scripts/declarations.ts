import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** A reference from one declaration file to another one of the package. */
const NAMED = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.[jt]s['"]/g;

/** Removes declarations in `dist/` that no export reaches. */
export function keepReachableDeclarations(root: string): void {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file) || !existsSync(file)) return;
    reached.add(file);
    for (const [, named] of readFileSync(file, 'utf8').matchAll(NAMED)) follow(resolve(dirname(file), `${named}.d.ts`));
  };
  for (const entry of Object.values(exports)) {
    if (typeof entry === 'string' || entry.types === undefined) continue;
    for (const file of globSync(entry.types, { cwd: root })) follow(resolve(root, file));
  }
  for (const file of globSync('dist/**/*.d.ts', { cwd: root })) {
    if (!reached.has(resolve(root, file))) rmSync(join(root, file));
  }
}
