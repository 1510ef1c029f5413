import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AUDIT_RULE_IDS } from '../../src/audit/rule-ids.ts';
import { RULE_IDS } from '../../src/drift/rule-ids.ts';
import { ruleName, ruleNamed } from '../../src/drift/rule-names.ts';
import { RULES } from '../../src/drift/rule-texts.ts';
import { rules } from '../../src/drift/rules.ts';
import { packageRoot } from '../../src/package-root.ts';
import { ownFolder } from '../../src/spec/folder.ts';

const folder = join(packageRoot, 'docs', 'rules');
const HEADINGS = ['## What it says', '## Why', '## Example', '## What to do'];

describe('the list of rules', () => {
  test('is in the order of the ids, each once', () => {
    expect(rules.map(({ id }) => id)).toEqual([...RULE_IDS]);
  });

  test('has a file per rule and no other', () => {
    const files = readdirSync(join(packageRoot, 'src', 'drift', 'rules')).map((name) => name.replace('.ts', ''));
    const shared = ['judged', 'refusals', 'schema-contradiction'];
    expect(files.filter((name) => !shared.includes(name)).sort()).toEqual([...RULE_IDS].sort());
  });

  test('has a page per rule and no other, all with the same headings', () => {
    // The pages of the audit are held by its own test.
    const others = ['README.md', ...AUDIT_RULE_IDS.map((id) => `${id}.md`)];
    const pages = readdirSync(folder).filter((name) => !others.includes(name));
    const names = RULE_IDS.map((id) => ruleName(id, ownFolder));
    expect(pages.map((name) => name.replace('.md', '')).sort()).toEqual(names.sort());
    for (const page of pages) {
      const text = readFileSync(join(folder, page), 'utf8');
      const name = page.replace('.md', '');
      const id = ruleNamed(name, ownFolder) as keyof typeof RULES;
      expect(text.split('\n')[0], page).toBe(`# ${name}`);
      expect(text, page).toContain(RULES[id].title);
      expect(
        text.split('\n').filter((line) => line.startsWith('## ')),
        page,
      ).toEqual(HEADINGS);
    }
  });

  test('ids are kebab-case words', () => {
    for (const id of RULE_IDS) expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
  });

  test('a refuted assumption is never more than worth knowing', () => {
    for (const id of RULE_IDS) {
      if (id === 'contract-check-failed') continue;
      expect(RULES[id].severity('assumed', undefined), id).toBe('info');
    }
  });
});
