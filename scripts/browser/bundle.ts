/**
 * Bundles the MSW handlers for browsers: `node scripts/browser/bundle.ts` writes `dist/browser/msw.js` and its chunks.
 * It contains the mock itself, without Prism. Libraries or small modules replace Node's, and the data is embedded.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { tool } from '../../src/files/tool.ts';
import { packageRoot } from '../../src/package-root.ts';
import { compiledModule } from './compile.ts';

const HERE = import.meta.dirname;

const REPLACED: Readonly<Record<string, string>> = {
  'node:crypto': './crypto.ts',
  'node:fs/promises': './files.ts',
  'node:net': './net.ts',
  'node:path': 'pathe',
};

/** Embedded folders: everything that a mock reads by name. */
const FOLDERS = ['mocks', 'spec', 'schemas'];

/** Prism does not run in a browser. Answers that need it report that with 501. */
const NO_PRISM = `import { ToolError } from '../../errors.ts';
export function createPrism() {
  const hint = 'Start \`banking-api-contract mock\` and forward to it.';
  throw new ToolError('engine-missing', 'This answer needs Prism, which does not run in a browser.', { hint });
}
export const prismInThread = createPrism;`;

const forBrowsers: Plugin = {
  name: 'for-browsers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => {
      return { path, namespace: REPLACED[path] ? 'replaced' : 'nothing' };
    });
    // as CommonJS, so that a missing member fails on use and not on import
    onLoad({ filter: /.*/, namespace: 'replaced' }, ({ path }) => ({
      contents: `module.exports = { ...require(${JSON.stringify(REPLACED[path])}) };`,
      resolveDir: HERE,
    }));
    // a browser needs no check of the Node version
    onResolve({ filter: /\/needs-node\.ts$/ }, ({ path }) => ({ path, namespace: 'nothing', sideEffects: true }));
    // engines and stores that browsers lack. Each is loaded on first use, which reports that it is missing
    onResolve({ filter: /^(?:@stoplight\/|redis$|undici$|@redis\/)/ }, ({ path }) => ({ path, namespace: 'nothing' }));
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};' }));
    // Node detects the exports of a CommonJS module; a bundle does not
    onResolve({ filter: /^ajv\/dist\/2020\.js$/ }, ({ path, importer }) =>
      importer.endsWith('.ts') ? { path, namespace: 'named' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'named' }, ({ path }) => ({
      contents: `import all from ${JSON.stringify(path)}; export const { Ajv2020 } = all; export default all;`,
      resolveDir: HERE,
    }));
    onResolve({ filter: /\/package-root\.ts$/ }, () => ({ path: join(HERE, 'files.ts') }));
    // the original reads the package's manifest from disk
    onLoad({ filter: /\/files\/tool\.ts$/ }, () => ({ contents: `export const tool = ${JSON.stringify(tool)};` }));
    onLoad({ filter: /\/mock\/pipeline\/prism(?:-worker)?\.ts$/ }, ({ path }) => ({
      contents: NO_PRISM,
      resolveDir: dirname(path),
    }));
    onResolve({ filter: /\/(?:compiled-contract|read-hooks)\.ts$/ }, ({ path, importer }) =>
      importer.startsWith(HERE) ? undefined : { path: join(HERE, basename(path)) },
    );
    onResolve({ filter: /^embedded:/ }, ({ path }) => ({ path, namespace: 'embedded' }));
    onLoad({ filter: /^embedded:compiled$/, namespace: 'embedded' }, async () => ({
      contents: await compiledModule(),
      resolveDir: HERE,
    }));
    onLoad({ filter: /^embedded:files$/, namespace: 'embedded' }, () => ({
      contents: `export default ${JSON.stringify(Object.fromEntries(['policy.yaml', ...FOLDERS.flatMap(filesOf)].map(embedded)))};`,
    }));
  },
};

function filesOf(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => relative(packageRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function embedded(file: string): [path: string, text: string] {
  return [`/banking-api-contract/${file}`, readFileSync(join(packageRoot, file), 'utf8')];
}

/** Writes the bundle with `msw` as an external import. With `entry`, bundles that module with all its imports. */
export async function bundleForBrowsers(outfile: string, entry?: string): Promise<void> {
  await build({
    entryPoints: { msw: entry ?? join(packageRoot, 'src/mock/msw/handlers.ts') },
    outdir: dirname(outfile),
    chunkNames: 'msw-[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    keepNames: true,
    sourcemap: false,
    legalComments: 'none',
    logLevel: 'warning',
    inject: [join(HERE, 'buffer.ts')],
    external: entry === undefined ? ['msw'] : [],
    plugins: [forBrowsers],
  });
}

if (import.meta.main) await bundleForBrowsers(join(packageRoot, 'dist', 'browser', 'msw.js'));
