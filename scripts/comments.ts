import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/** Removes comments from the code in `dist/`. Users read the declarations. */
export function dropComments(root: string): void {
  for (const file of globSync('dist/{src,contracts,mocks,generated}/**/*.js', { cwd: root })) {
    const path = join(root, file);
    const { code } = transformSync(readFileSync(path, 'utf8'), {
      charset: 'utf8',
      legalComments: 'inline',
      target: 'esnext',
    });
    writeFileSync(path, code);
  }
}
