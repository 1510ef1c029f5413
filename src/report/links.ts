import { isAbsolute, relative, sep } from 'node:path';
import { AUDIT_RULES } from '../audit/rules.ts';
import { ownFolder } from '../contract/folder.ts';
import { tool } from '../files/tool.ts';
import { ruleName, ruleNamed, ruleOf } from '../judge/rules.ts';
import type { Finding } from '../model/finding.ts';
import { plain } from '../plain.ts';

export interface ShownAt {
  /** In one harmless line, with forward slashes; relative to `root` where it lies below it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The root of the contract: where a finding points that contradicts no line of its own. */
const CONTRACT = 'spec/openapi.yaml';

/** The contradicted line. `root` is the folder that paths are relative to: the checkout. */
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

/** The engine's id of a rule. Reports of early versions do not say it, and knew the names of the package's own contract only. */
function idOf({ rule, engineRule }: NamedRule): string {
  return engineRule ?? ruleNamed(rule, ownFolder);
}

/** Title of a rule; its name for one that this version does not know. */
export function ruleTitle(named: NamedRule): string {
  const id = idOf(named);
  const audit: Readonly<Record<string, { readonly title: string }>> = AUDIT_RULES;
  return ruleOf(id)?.title ?? (Object.hasOwn(audit, id) ? audit[id]?.title : undefined) ?? named.rule;
}

/** Name of the page of a rule under docs/rules: pages are named as the package's own contract names rules. */
export function pageName(named: NamedRule): string {
  return ruleName(idOf(named), ownFolder);
}

/** Address of the page of a rule, in the version that wrote the report; in this one where a report names what is no version. */
export function rulePage(named: NamedRule, version: string = tool.version): string {
  const known = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version) ? version : tool.version;
  const page = pageName(named);
  // what no rule can be called has no page: then all of them
  return `https://unpkg.com/banking-api-contract@${known}/docs/rules/${/^[\w-]+$/.test(page) ? page : 'README'}.md`;
}
