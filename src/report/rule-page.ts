import { AUDIT_RULES } from '../audit/rule-texts.ts';
import { ownFolder } from '../contract/folder.ts';
import { tool } from '../files/tool.ts';
import { ruleName, ruleNamed, ruleOf } from '../judge/rules.ts';

/** Title of a rule; the id itself for one that this version does not know. */
export function ruleTitle(rule: string): string {
  const id = ruleNamed(rule, ownFolder);
  const audit: Readonly<Record<string, { readonly title: string }>> = AUDIT_RULES;
  return ruleOf(id)?.title ?? (Object.hasOwn(audit, id) ? audit[id]?.title : undefined) ?? rule;
}

/** Address of the page of a rule, in the version that wrote the report; in this one where a report names what is no version. */
export function rulePage(rule: string, version: string = tool.version): string {
  const known = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version) ? version : tool.version;
  return `https://unpkg.com/banking-api-contract@${known}/docs/rules/${part(ruleName(rule, ownFolder))}.md`;
}

/** Encoded as far as any format could take a character for its own. */
function part(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
