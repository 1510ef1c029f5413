import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

type Versions = Readonly<Record<string, string>>;

const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
) as {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
};
const engines = Object.keys(peerDependencies);
const lock = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly optional?: boolean; readonly dependencies?: Versions }>>;
};

test('README and docs state the number of packages in a plain install, which has no engine', () => {
  const installed = new Set<string>();
  const install = (names: readonly string[]): void => {
    for (const name of names.filter((one) => !installed.has(one))) {
      installed.add(name);
      install(Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {}));
    }
  };
  install(Object.keys(dependencies));
  expect(engines.filter((name) => installed.has(name))).toEqual([]);
  const words = ['nine', 'ten', 'eleven', 'twelve', 'thirteen'];
  const number = words[installed.size - 9];
  const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');
  expect(read('README.md')).toContain(`adds ${number} small packages`);
  expect(read('docs/install.md')).toContain(`with ${number} small ones`);
  expect(read('CHANGELOG.md')).toContain(`brings ${number} small packages`);
});

test('an engine never comes with the package, and always with a clone', () => {
  expect(engines.filter((name) => peerDependenciesMeta[name]?.optional !== true)).toEqual([]);
  expect(engines.filter((name) => devDependencies[name] === undefined)).toEqual([]);
  // npm silently omits an optional dependency if the installing Node is too old for it.
  expect(engines.filter((name) => lock.packages[`node_modules/${name}`]?.optional !== undefined)).toEqual([]);
});

test('dependencies are caret ranges: exact versions are for the lockfile', () => {
  expect(Object.values(dependencies).filter((range) => !/^\^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});
