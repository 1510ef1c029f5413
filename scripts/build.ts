/** Builds `dist/` from `src/` and `contracts/`: `npm run build`. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';

execFileSync(process.execPath, [join(packageRoot, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: packageRoot,
  stdio: 'inherit',
});
