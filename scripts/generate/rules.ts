/** Writes the documented tables of rules (docs/rules/README.md, docs/audit.md) and the first line of each page. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_AUDIT_RULES, CALLER_RULES } from '../../src/audit/rules.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import type { Made } from '../../src/generate/files.ts';
import { BY_PROVENANCE, type Rule } from '../../src/judge/rule.ts';
import { ALL_RULES, ruleName } from '../../src/judge/rules.ts';
import { packageRoot } from '../../src/package-root.ts';

const docs = join(packageRoot, 'docs');
const nameOf = ({ id }: Rule): string => ruleName(id, ownFolder);

/** `by provenance`, or `error (assumed: info; deprecated form: warning)`. */
function severityText({ severity }: Rule): string {
  if (typeof severity === 'string') return severity;
  const { deprecated, ...own } = severity;
  const bases = Object.keys(own) as (keyof typeof own)[];
  if (!deprecated && bases.length > 1 && bases.every((basis) => own[basis] === BY_PROVENANCE[basis])) {
    return 'by provenance';
  }
  const [main = 'info'] = Object.values(own);
  const others = bases.filter((basis) => own[basis] !== main).map((basis) => `${basis}: ${own[basis]}`);
  if (deprecated) others.push(`deprecated form: ${deprecated}`);
  return others.length === 0 ? main : `${main} (${others.join('; ')})`;
}

const TABLE = /^\| severity \|.*\n(?:\|.*\n)*/m;
const grouped = Map.groupBy(ALL_RULES, (rule) => `${severityText(rule)} | ${rule.judges.join(', ')}`);
const rows = [...grouped].map(([group, ofGroup]) => {
  const links = ofGroup.map((rule) => `[${nameOf(rule)}](${nameOf(rule)}.md)`);
  return `| ${group} | ${links.join(', ')} |\n`;
});
const auditRows = [...Map.groupBy(ALL_AUDIT_RULES, ({ severity }) => severity)].map(([severity, ofGroup]) => {
  const links = ofGroup.map(({ id, exceptions }) => `[${id}](rules/${id}.md)${exceptions ? ' (†)' : ''}`);
  return `| ${severity} | ${links.join(', ')} |\n`;
});
const edits: readonly [page: string, edit: (text: string) => string][] = [
  ['audit', (text) => text.replace(TABLE, `| severity | rules |\n|---|---|\n${auditRows.join('')}`)],
  ...ALL_AUDIT_RULES.map((rule): (typeof edits)[number] => {
    const { id, title, severity, exceptions } = rule;
    const severities = [severity, exceptions].filter(Boolean).join('; ');
    const commands = [
      ...(CALLER_RULES.includes(rule) ? ['`audit`'] : []),
      ...(/^(?:write|evolution)-/.test(id) ? ['`survive`'] : []),
    ];
    return withHead(id, `${title}. Rule of ${commands.join(' and ')}. Severity: ${severities}.`);
  }),
  ['rules/README', (text) => text.replace(TABLE, `| severity | judges | rules |\n|---|---|---|\n${rows.join('')}`)],
  ...ALL_RULES.map((rule) => withHead(nameOf(rule), `${rule.title}. Severity: ${severityText(rule)}.`)),
];

/** A page begins with its name and this line; the rest is written by hand. */
function withHead(name: string, line: string): (typeof edits)[number] {
  return [`rules/${name}`, (text) => `# ${name}\n\n${line}\n${text.split('\n').slice(3).join('\n')}`];
}

export async function rules(): Promise<Made> {
  const texts = edits.map(async ([page, edit]) => [`${page}.md`, edit(await textOf(page))]);
  return { folder: 'docs', files: Object.fromEntries(await Promise.all(texts)) };
}

/** A new page begins with a draft. */
function textOf(page: string): Promise<string> {
  const draft = '# page\n\n\n\n**Example**:\n\n**Action**:\n';
  return readFile(join(docs, `${page}.md`), 'utf8').catch(() => draft);
}
