/**
 * Tests the packed package as users get it, on Node 20, on the oldest supported Node, and on this one: `npm run floor`.
 * On the newest Node, it tests what code of a contract folder can do. All Nodes are from npm's `node` package. On the oldest, it also tests the recipes for jest and Fastify, npx, and the
 * clone's commands.
 * Needs a built `dist/` and the npm registry.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import { pack } from '../pack.ts';
import { COMMAND, FLOOR, freshProject, nodeFromNpm, run } from './project.ts';

function holds(output: string, what: string): void {
  if (!output.includes(what)) throw new Error(`missing: ${what}\nin: ${output}`);
}

const work = mkdtempSync(join(tmpdir(), 'floor-'));
try {
  const tarball = join(work, pack(work).filename);
  const old = nodeFromNpm(join(work, 'node-20'), '20');
  const floor = nodeFromNpm(join(work, 'node-floor'), FLOOR);
  const newest = nodeFromNpm(join(work, 'node-newest'), 'latest');
  const nodes = [floor, process.execPath];

  const plain = freshProject(join(work, 'plain'), [tarball]);
  plain.program('light.mjs', { node: old });
  plain.program('too-old.mjs', { node: old });
  holds(
    plain.run([COMMAND, 'mock'], { node: old, code: 2 }),
    'banking-api-contract needs Node 22.19 or newer; this is v20.',
  );
  for (const node of nodes) {
    plain.program('light.mjs', { node });
    plain.program('library.mjs', { node });
    const missing = plain.run([COMMAND, 'verify', '--target', 'mock'], { node, code: 2 });
    holds(missing, 'Install the missing packages: npm install --save-dev pactum vitest\n');
  }
  plain.copy('confined.mjs', join(packageRoot, 'test/package'));
  for (const node of [...nodes, newest]) plain.run(['confined.mjs'], { node });
  console.log('code of a contract folder has no signals, no debugger and no SQLite, also on the newest Node');
  console.log(`a plain install: Node 20, ${FLOOR} and ${process.versions.node}`);

  const recipes = freshProject(join(work, 'recipes'), [tarball, 'jest', 'fastify']);
  for (const node of nodes) {
    recipes.program('fastify.cjs', { node });
    const tests = ['esm.test.mjs', 'commonjs.test.cjs', ...(node === floor ? [] : ['required.test.cjs'])];
    for (const test of tests) recipes.copy(test);
    const jest = ['node_modules/jest/bin/jest.js', '--testMatch', '**/*.test.*', '--runTestsByPath', ...tests];
    recipes.run(jest, { node, env: { NODE_OPTIONS: '--experimental-vm-modules' } });
  }
  console.log('recipes: jest (ES modules, CommonJS), Fastify');

  for (const node of nodes) {
    const npx = (packages: readonly string[], command: readonly string[], code: number): string => {
      const env = { npm_config_cache: join(work, 'npx-cache'), npm_config_yes: 'true' };
      const args = packages.flatMap((name) => ['-p', name]);
      return run(work, 'npx', [...args, 'banking-api', ...command], { node, code, env });
    };
    const line = `npx -p ${tarball} -p pactum -p vitest banking-api verify --target mock\n`;
    holds(npx([tarball], ['verify', '--target', 'mock'], 2), line);
    holds(npx([tarball, 'pactum', 'vitest'], ['verify', '--target', 'mock'], 0), 'exit 0');
  }
  console.log('npx: verify names the line that it needs, and runs by it');

  // The rest of the commands, with the engines of the clone.
  const command = join(packageRoot, 'bin/banking-api.js');
  const caller = join(packageRoot, 'examples/audit/caller.mjs');
  for (const argv of [['verify', '--target', 'mock'], ['lint'], ['spec'], ['audit', '--drive', '--', floor, caller]])
    run(packageRoot, floor, [command, ...argv], { node: floor });
  console.log(`verify, lint, spec and audit of the clone: Node ${FLOOR}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
