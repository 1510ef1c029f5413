import { isAbsolute, relative, sep } from 'node:path';
import { ALL_AUDIT_RULES } from '../audit/rules.ts';
import { ownFolder } from '../contract/folder.ts';
import { tool } from '../files/tool.ts';
import { ruleName, ruleNamed, ruleOf } from '../judge/rules.ts';
import type { Finding } from '../model/finding.ts';
import { plain } from '../text/plain.ts';

export interface ShownAt {
  /** One harmless line, with forward slashes; relative to `root` if it lies below it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const CONTRACT = 'spec/openapi.yaml';

/** The contradicted line, with its file relative to `root`, the checkout. */
export function shownAt({ location }: Pick<Finding, 'location'>, root: string | undefined): ShownAt {
  if (location === null) return { file: CONTRACT, line: 1, column: 1 };
  const { line, column } = location;
  return { file: plain(below(location.file, root).split(sep).join('/')), line, column };
}

function below(file: string, root: string | undefined): string {
  if (root === undefined || !isAbsolute(file)) return file;
  const path = relative(root, file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

type NamedRule = Pick<Finding, 'rule' | 'engineRule'>;

/** Reports of early versions lack `engineRule`, and use only names of the package's own contract. */
function idOf({ rule, engineRule }: NamedRule): string {
  return engineRule ?? ruleNamed(rule, ownFolder);
}

export function ruleTitle(named: NamedRule): string {
  const id = idOf(named);
  return (ruleOf(id) ?? ALL_AUDIT_RULES.find((rule) => rule.id === id))?.title ?? named.rule;
}

/** Pages under docs/rules have the names that the package's own contract gives to rules. */
export function pageName(named: NamedRule): string {
  return ruleName(idOf(named), ownFolder);
}

/** Address of a rule's page in the version that wrote the report, or in this version if that one is invalid. */
export function rulePage(named: NamedRule, version: string = tool.version): string {
  const known = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version) ? version : tool.version;
  const page = pageName(named);
  // an invalid name links to the list of rules
  return `https://unpkg.com/banking-api-contract@${known}/docs/rules/${/^[\w-]+$/.test(page) ? page : 'README'}.md`;
}
