import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL_AUDIT_RULES, AUDIT_RULE_IDS, CALLER_RULES } from '../../src/audit/rules.ts';
import { packageRoot } from '../../src/package-root.ts';
import { BAD_HABITS } from './habits.ts';

test('the list contains each rule of the rule files exactly once', async () => {
  const folder = join(packageRoot, 'src', 'audit', 'rules');
  const files = await Promise.all(readdirSync(folder).map((name) => import(join(folder, name)) as Promise<object>));
  const exported = files.flatMap((file) => Object.values(file)).filter((value) => typeof value === 'object');
  expect(new Set(exported)).toEqual(new Set(ALL_AUDIT_RULES));
  expect(ALL_AUDIT_RULES).toHaveLength(exported.length);
});

test.each(ALL_AUDIT_RULES)('the rule $id has its own id, a page, and a habit in the corpus', (rule) => {
  const { id } = rule;
  expect(AUDIT_RULE_IDS.filter((other) => other === id)).toHaveLength(1);
  const page = readFileSync(join(packageRoot, 'docs', 'rules', `${id}.md`), 'utf8');
  for (const part of ['Example', 'Action']) expect(page).toMatch(new RegExp(`^\\*\\*${part}\\*\\*: .{5}`, 'm'));
  if (CALLER_RULES.includes(rule) && id !== 'secret-printed') expect(Object.keys(BAD_HABITS[id])).not.toEqual([]);
});
