import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials } from '../../scripts/bill-of-materials.ts';
import { packageRoot } from '../../src/package-root.ts';

const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

test('the bill of materials lists what the package needs at run time, to the last, and no engine', () => {
  const { components } = billOfMaterials(['dependencies']);
  const names = new Set(components.map(({ name }) => name));
  // What a development tool needs as well is not left out, and what a dependency needs is there: fast-uri is of ajv.
  expect([...Object.keys(dependencies), 'fast-uri'].filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(optionalDependencies).filter((name) => names.has(name))).toEqual([]);
  expect(components.filter(({ version }) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
});

test('dependencies are caret ranges: exact versions are for the lockfile', () => {
  expect(Object.values(dependencies).filter((range) => !/^\^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});
