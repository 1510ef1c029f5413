/**
 * Builds `dist/` from `src/`, `contracts/` and `spec/`: `npm run build`. For publishing, `--clean` removes unreachable
 * declarations.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { loadContract } from '../src/contract/load.ts';
import { writeFiles } from '../src/generate/files.ts';
import { toJson, writeDocument } from '../src/generate/serialize.ts';
import { jsonSchemas } from '../src/generate/validators.ts';
import { publishedDocument } from '../src/mock/document/published-document.ts';
import { partsOfContract } from '../src/mock/tenant/read-parts.ts';
import { packageRoot } from '../src/package-root.ts';
import { bundleForBrowsers } from './browser/bundle.ts';
import { keepReachableDeclarations } from './declarations.ts';
import { bundlePage } from './page.ts';

const dist = join(packageRoot, 'dist');
const clean = process.argv.includes('--clean');
if (clean) rmSync(dist, { recursive: true, force: true });

execFileSync(process.execPath, [join(packageRoot, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: packageRoot,
  stdio: 'inherit',
});
// Loading a file costs more than running it, so the command is bundled.
const { metafile } = await build({
  absWorkingDir: packageRoot,
  entryPoints: ['src/cli/main.ts'],
  outdir: 'dist/src/cli',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  target: 'node22',
  metafile: true,
});
const bundled = new Set(Object.keys(metafile.outputs).map((file) => join(packageRoot, file)));
// Removes output without a source: a deleted contract file would still run.
for (const file of globSync('{src,contracts,mocks,generated}/**/*.{js,d.ts}', { cwd: dist })) {
  const isBuilt = existsSync(join(packageRoot, file.replace(/(\.d\.ts|\.js)$/, '.ts')));
  if (!isBuilt && !bundled.has(join(dist, file))) rmSync(join(dist, file));
}
const contract = await loadContract();
await writeDocument(dist, contract.document);
const mocked = await loadContract({ assumed: true });
writeFileSync(join(dist, 'openapi.mock.json'), toJson(publishedDocument(mocked, await partsOfContract(mocked))));
const schemas = jsonSchemas(contract);
await writeFiles(join(dist, 'schemas'), schemas, Object.keys(schemas));
// Chunk names hold a hash of their content, so chunks of an earlier build would stay.
rmSync(join(dist, 'browser'), { recursive: true, force: true });
await bundleForBrowsers(join(dist, 'browser', 'msw.js'));
rmSync(join(dist, 'page'), { recursive: true, force: true });
await bundlePage(join(dist, 'page'));
if (clean) {
  keepReachableDeclarations(packageRoot);
  // it would make the next build believe that they are still there
  rmSync(join(dist, '.tsbuildinfo'));
}
