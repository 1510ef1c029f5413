import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AUDIT_RULE_IDS } from '../../src/audit/rules.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { severityOf } from '../../src/judge/rule.ts';
import { ALL_RULES, ruleName, ruleNamed, ruleOf } from '../../src/judge/rules.ts';
import { packageRoot } from '../../src/package-root.ts';

const folder = join(packageRoot, 'docs', 'rules');

describe('the list of rules', () => {
  test('the list contains each rule of the rule files exactly once, by its id', async () => {
    const sources = join(packageRoot, 'src', 'judge', 'rules');
    const files = await Promise.all(readdirSync(sources).map((name) => import(join(sources, name)) as Promise<object>));
    const rules = files
      .flatMap((file) => Object.values(file) as unknown[])
      .filter((value) => typeof value === 'object' && value !== null && 'judges' in value);
    expect(new Set(ALL_RULES)).toEqual(new Set(rules));
    expect(new Set(ALL_RULES.map(({ id }) => id)).size).toBe(ALL_RULES.length);
    expect(new Set(rules).size).toBe(ALL_RULES.length);
  });

  test('each rule has exactly one page, with an example and an action', () => {
    // Separate tests check the pages of audit and lint.
    const others = ['README.md', 'lint', ...AUDIT_RULE_IDS.map((id) => `${id}.md`)];
    const pages = readdirSync(folder).filter((name) => !others.includes(name));
    const names = ALL_RULES.map(({ id }) => ruleName(id, ownFolder));
    expect(pages.map((name) => name.replace('.md', '')).sort()).toEqual(names.sort());
    for (const page of pages) {
      const text = readFileSync(join(folder, page), 'utf8');
      const name = page.replace('.md', '');
      const rule = ruleOf(ruleNamed(name, ownFolder));
      expect(text.split('\n')[0], page).toBe(`# ${name}`);
      expect(text, page).toContain(rule?.title);
      for (const part of ['Example', 'Action'])
        expect(text, page).toMatch(new RegExp(`^\\*\\*${part}\\*\\*: .{5}`, 'm'));
    }
  });

  test('ids are kebab-case words', () => {
    for (const { id } of ALL_RULES) expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
  });

  test('a contradicted assumption is never more severe than info', () => {
    for (const rule of ALL_RULES) expect(severityOf(rule, 'assumed', undefined), rule.id).toBe('info');
  });
});
