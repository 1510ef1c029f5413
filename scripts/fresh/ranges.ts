/**
 * Tests the packed package in fresh projects: `npm run ranges`. It takes the lowest and the newest version of each
 * dependency, and of each part of the range of each optional peer. All versions run on the oldest supported Node, the
 * newest ones also on this one.
 * Needs a built `dist/`, the npm registry and redis-server.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import { freePort } from '../../test/support/loopback.ts';
import { pack } from '../pack.ts';
import { COMMAND, dependencies, FLOOR, freshProject, nodeFromNpm, type Project, peerDependencies } from './project.ts';

/** The alternatives of a range (`||`). Each of them is tested. */
const parts = (range: string): string[] => range.split('||').map((part) => part.trim());
const lowestOf = (part: string): string => part.replace('^', '');

// vitest brings its vite, and does not run with each older one
const { vite: _, ...PEERS } = peerDependencies;

/** The rows of the table: row n uses part n of each range, or its last part. */
const most = Math.max(...Object.values(PEERS).map((range) => parts(range).length));
const rows = Array.from({ length: most }, (_, row) =>
  Object.entries(PEERS).map(([name, range]): [string, string] => {
    const all = parts(range);
    return [name, all[Math.min(row, all.length - 1)] ?? range];
  }),
);

/** The features that a user would miss first with an incompatible version. */
function tryAll({ run, program, copy }: Project, node: string | undefined, store: string): void {
  const verify = run([COMMAND, 'verify', '--target', 'mock'], { node });
  if (!/checks {4}\d+ passed/.test(verify)) throw new Error(`verify did not pass every check:\n${verify}`);
  run([COMMAND, 'lint'], { node });
  for (const name of ['library.mjs', 'msw.mjs', 'prism.mjs', 'vite.mjs', 'mcp.mjs']) program(name, { node });
  program('redis.mjs', { node, env: { STORE: store } });
  copy('fixture.test.ts');
  run(['node_modules/vitest/vitest.mjs', 'run'], { node });
}

/** Compares the size of a plain install with docs/install.md, in megabytes. */
function holdSize(folder: string): void {
  const documented = Number(
    /\((\d+) MB in all\)/.exec(readFileSync(join(packageRoot, 'docs/install.md'), 'utf8'))?.[1],
  );
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const bytes = files.map((file) => (file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0));
  const megabytes = bytes.reduce((sum, size) => sum + size, 0) / 1e6;
  if (!(megabytes < documented + 1))
    throw new Error(`${megabytes.toFixed(1)} MB were installed, not ${documented} (docs/install.md)`);
}

function versions(folder: string, names: readonly string[]): string {
  const versionOf = (name: string): string => {
    const file = join(folder, 'node_modules', name, 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  };
  return names.map((name) => `${name} ${versionOf(name)}`).join(', ');
}

const work = mkdtempSync(join(tmpdir(), 'ranges-'));
const port = await freePort();
const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' });
redis.on('error', (error) => {
  throw new Error(`redis-server is needed: ${error.message}`);
});
try {
  const tarball = join(work, pack(work).filename);
  const floor = nodeFromNpm(join(work, 'node'), FLOOR);

  const lowest = Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, lowestOf(range)]));
  for (const [which, overrides] of Object.entries({ lowest, newest: {} })) {
    const project = freshProject(join(work, which), [tarball], overrides);
    holdSize(project.folder);
    for (const node of [floor, undefined]) {
      project.program('library.mjs', { node });
      project.run([COMMAND, 'spec'], { node });
      project.run([COMMAND, 'diff', ...['json', 'yaml'].map((kind) => join(packageRoot, `dist/openapi.${kind}`))], {
        node,
      });
    }
    console.log(`${which}: ${versions(project.folder, Object.keys(dependencies))}`);
  }

  let database = 0;
  for (const [index, row] of rows.entries()) {
    for (const which of ['lowest', 'newest'] as const) {
      const wanted = row.map(([name, part]) => `${name}@${which === 'lowest' ? lowestOf(part) : part}`);
      const project = freshProject(join(work, `peers-${index}-${which}`), [tarball, ...wanted]);
      for (const node of which === 'newest' ? [floor, undefined] : [floor]) {
        tryAll(project, node, `redis://127.0.0.1:${port}/${database++}`);
      }
      const names = row.map(([name]) => name);
      console.log(`${which} of part ${index + 1}: ${versions(project.folder, names)}`);
    }
  }
} finally {
  redis.kill();
  rmSync(work, { recursive: true, force: true });
}
