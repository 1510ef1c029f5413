/** Bundles the page of the mock: `node scripts/page.ts` writes `dist/page/`, where the control API reads it from. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { LOOK } from '../src/look.ts';
import { packageRoot } from '../src/package-root.ts';

const source = join(packageRoot, 'page');

/** Writes `index.html`, `page.css`, `main.js` (the page by itself) and `mount.js` (the same in an element of another page). */
export async function bundlePage(folder: string): Promise<void> {
  await build({
    entryPoints: { main: join(source, 'main.ts'), mount: join(source, 'mount.tsx') },
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'page-[hash]',
    format: 'esm',
    target: 'es2023',
    minify: true,
    legalComments: 'linked',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'page.css'), LOOK + readFileSync(join(source, 'page.css'), 'utf8'));
  writeFileSync(join(folder, 'index.html'), readFileSync(join(source, 'index.html')));
}

if (process.argv[1] === import.meta.filename) await bundlePage(join(packageRoot, 'dist', 'page'));
