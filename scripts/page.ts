/** Bundles the page of the mock: `node scripts/page.ts` writes `dist/page/`, which the control API serves. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../src/package-root.ts';
import { THEME } from '../src/report/theme.ts';

const source = join(packageRoot, 'page');

/** Writes `index.html`, `main.js` (the standalone page) and `mount.js` (the page inside an element of another one). */
export async function bundlePage(folder: string): Promise<void> {
  await build({
    entryPoints: { main: join(source, 'main.ts'), mount: join(source, 'mount.ts') },
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
    define: { STYLE: JSON.stringify(`${THEME}${readFileSync(join(source, 'page.css'), 'utf8')}`) },
    logLevel: 'warning',
  });
  mkdirSync(folder, { recursive: true });
  // the page has built-in styles; applications that import this file need not change
  writeFileSync(join(folder, 'page.css'), '');
  writeFileSync(join(folder, 'index.html'), readFileSync(join(source, 'index.html')));
  writeFileSync(join(folder, 'mount.d.ts'), await typesOfMount());
}

async function typesOfMount(): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'page-types-'));
  try {
    const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', work];
    const compiler = join(packageRoot, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', source, ...options], { stdio: 'inherit' });
    return readFileSync(join(work, 'page', 'mount.d.ts'), 'utf8');
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await bundlePage(join(packageRoot, 'dist', 'page'));
