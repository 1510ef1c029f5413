import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

test('every scenario in a command line of the docs exists', () => {
  const known = globSync('mocks/scenarios/*.yaml', { cwd: packageRoot }).map((file) => basename(file, '.yaml'));
  const named = globSync(['README.md', 'docs/*.md'], { cwd: packageRoot }).flatMap((file) =>
    readFileSync(join(packageRoot, file), 'utf8')
      .matchAll(/--scenario ([a-z0-9-]+(?:,[a-z0-9-]+)*)(?![\w./])/g)
      .flatMap(([, names = '']) => names.split(',').map((name) => `${file}: ${name}`))
      .toArray(),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((one) => !known.includes(one.split(': ')[1] ?? ''))).toEqual([]);
});
