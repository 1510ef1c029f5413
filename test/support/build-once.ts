import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';

/** Builds before any test, because end-to-end tests start the built command. */
export default function setup(): void {
  execFileSync(process.execPath, [join(packageRoot, 'scripts/build.ts')], { cwd: packageRoot, stdio: 'inherit' });
}
