import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../src/package-root.ts';

const COMPILED = join(packageRoot, 'node_modules/.cache/compiled');

/**
 * Builds before any test, because end-to-end tests start the built command. All processes and threads of the tests
 * share compiled code: each would strip the types of all sources again. Only coverage needs them uncompiled. Returns a
 * function that removes all temporary files of the tests: workers are killed and cannot remove theirs.
 */
export default function setup({ vitest }: TestProject): () => void {
  execFileSync(process.execPath, [join(packageRoot, 'scripts/build.ts')], { cwd: packageRoot, stdio: 'inherit' });
  // Code of an earlier run would stay for ever.
  rmSync(COMPILED, { recursive: true, force: true });
  if (!vitest.config.coverage.enabled) process.env.NODE_COMPILE_CACHE = COMPILED;
  const temporary = mkdtempSync(join(tmpdir(), 'banking-api-tests-'));
  process.env.TMPDIR = temporary;
  return () => rmSync(temporary, { recursive: true, force: true });
}
