import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';

/** End-to-end tests start the real command, which runs what is built: build it before any test. */
export default function setup(): void {
  execFileSync(process.execPath, [join(packageRoot, 'scripts/build.ts')], { cwd: packageRoot, stdio: 'inherit' });
}
