import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENGINE_RULES } from '../../src/contract/lint/rules.ts';
import { packageRoot } from '../../src/package-root.ts';

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');

/** Rules that the code names: in calls that add a problem, and in the table of notices. */
function namedIn(file: string): string[] {
  const calls = read(file).matchAll(/(?:add|held|remark)\(\s*'([a-z-]+)'|rule: ((?:'[a-z-]+'(?: \| )?)+)/g);
  const notices = read(file).matchAll(/^ {2}'([a-z-]+)': '(?:error|warning|info)',$/gm);
  return [...calls, ...notices].flatMap(([, one, several = '']) => one ?? several.replaceAll("'", '').split(' | '));
}

/** Rules of Spectral that a ruleset of ours defines. */
function definedIn(file: string): string[] {
  const { rules } = parse(read(file)) as { rules: Record<string, unknown> };
  return Object.keys(rules).filter((name) => typeof rules[name] === 'object');
}

test('every rule of lint has a page, and every page has a rule', () => {
  const rules = [
    ...Object.keys(ENGINE_RULES),
    ...['src/contract/lint/lint.ts', 'src/contract/lint/examples.ts', 'src/mock/lint.ts'].flatMap(namedIn),
    ...['schemas/ruleset/ruleset.yaml', 'spec/ruleset.yaml'].flatMap(definedIn),
  ];
  const pages = globSync('docs/rules/lint/*.md', { cwd: packageRoot }).map((file) => basename(file, '.md'));
  expect([...new Set(rules)].sort()).toEqual(pages.filter((page) => page !== 'README').sort());
  const index = read('docs/rules/lint/README.md');
  expect(pages.filter((page) => page !== 'README' && !index.includes(`(${page}.md)`))).toEqual([]);
});
