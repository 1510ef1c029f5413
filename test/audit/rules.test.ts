import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_RULE_IDS } from '../../src/audit/rule-ids.ts';
import { AUDIT_RULES } from '../../src/audit/rule-texts.ts';
import { auditRules } from '../../src/audit/rules.ts';
import { packageRoot } from '../../src/package-root.ts';
import { BAD_HABITS } from './habits.ts';

test('the list of rules is that of their ids, in the same order', () => {
  expect(auditRules.map(({ id }) => id)).toEqual(AUDIT_RULE_IDS);
});

test.each(AUDIT_RULE_IDS)('%s has a page, a row in the overview and a habit in the corpus', (id) => {
  const file = join(packageRoot, 'docs', 'rules', `${id}.md`);
  expect(existsSync(file)).toBe(true);
  const page = readFileSync(file, 'utf8');
  expect(page).toContain(`# ${id}\n\n${AUDIT_RULES[id].title}.`);
  expect(page).toContain(`Severity: ${AUDIT_RULES[id].severity}`);
  expect(readFileSync(join(packageRoot, 'docs', 'audit.md'), 'utf8')).toContain(`[${id}](rules/${id}.md)`);
  expect(BAD_HABITS.some(({ rule }) => rule === id)).toBe(true);
});
