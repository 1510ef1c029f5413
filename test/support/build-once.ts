import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../src/package-root.ts';

const COMPILED = join(packageRoot, 'node_modules/.cache/compiled');

/** What the build reads, with folders, whose time changes if a file is removed. */
const SOURCES = [
  '{contracts,generated,mocks,page,schemas,scripts,spec,src}{,/**}',
  '{contract.yaml,package.json,package-lock.json,tsconfig*.json}',
];
/** Its time is the start of the last build. */
const BUILT = join(packageRoot, 'node_modules/.cache/built');

/**
 * Builds before any test, because end-to-end tests start the built command. It leaves a build that is newer than all
 * sources, so that the tests of one room start at once. All processes and threads of the tests share compiled code: each
 * would strip the types of all sources again. Only coverage needs them uncompiled. Returns a function that removes all
 * temporary files of the tests: workers are killed and cannot remove theirs.
 */
export default function setup({ vitest }: TestProject): () => void {
  if (!isBuilt()) build();
  if (!vitest.config.coverage.enabled) process.env.NODE_COMPILE_CACHE = COMPILED;
  const temporary = mkdtempSync(join(tmpdir(), 'banking-api-tests-'));
  process.env.TMPDIR = temporary;
  // its name on Windows
  process.env.TEMP = temporary;
  return () => rmSync(temporary, { recursive: true, force: true });
}

function isBuilt(): boolean {
  // A build for publishing removes this file, and comments that tests read.
  if (!existsSync(join(packageRoot, 'dist/.tsbuildinfo')) || !existsSync(BUILT)) return false;
  const { mtimeMs } = statSync(BUILT);
  return globSync(SOURCES, { cwd: packageRoot }).every((file) => statSync(join(packageRoot, file)).mtimeMs < mtimeMs);
}

function build(): void {
  // Code of an earlier build would stay for ever.
  rmSync(COMPILED, { recursive: true, force: true });
  rmSync(BUILT, { force: true });
  const started = new Date();
  execFileSync(process.execPath, [join(packageRoot, 'scripts/build.ts')], { cwd: packageRoot, stdio: 'inherit' });
  // a fresh install has no folder for caches
  mkdirSync(dirname(BUILT), { recursive: true });
  writeFileSync(BUILT, '');
  utimesSync(BUILT, started, started);
}
