import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/** Takes the comments out of the code of the `dist/` of a package: what a user is told stands in its declarations. */
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
