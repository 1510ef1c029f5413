import type { ContractFolder } from '../contract/folder.ts';
import type { Rule } from './rule.ts';
import { operationFailing, operationWithdrawn, statusChanged, undocumentedStatus } from './rules/answers.ts';
import { fieldAgainstCondition } from './rules/conditions.ts';
import { bodyPresenceChanged, contentTypeContradicted, undocumentedContentType } from './rules/content-types.ts';
import { deprecatedShapeDiffers, sunsetNear } from './rules/deprecations.ts';
import { fieldsMoved, objectReplaced } from './rules/rebuilt.ts';
import * as refusals from './rules/refusals.ts';
import { contractCheckFailed, tlsNotVerified, unmatchedExchange } from './rules/run.ts';
import * as schemas from './rules/schemas.ts';
import { tokenLifetimeNotPositive, tokenNotJwt } from './rules/tokens.ts';
import { undocumentedField, unrecordedField } from './rules/unknown-fields.ts';

/** Every rule of a run, in the order in which findings are listed within an operation. All that is known of one stands in its file. */
export const RULES = {
  'token-not-refused': refusals.tokenNotRefused as Rule,
  'token-refused-otherwise': refusals.tokenRefusedOtherwise as Rule,
  'wrong-credentials-accepted': refusals.wrongCredentialsAccepted as Rule,
  'wrong-grant-accepted': refusals.wrongGrantAccepted as Rule,
  'token-not-jwt': tokenNotJwt as Rule,
  'token-lifetime-not-positive': tokenLifetimeNotPositive as Rule,
  'operation-withdrawn': operationWithdrawn as Rule,
  'operation-failing': operationFailing as Rule,
  'status-changed': statusChanged as Rule,
  'method-not-refused': refusals.methodNotRefused as Rule,
  'content-type-contradicted': contentTypeContradicted as Rule,
  'type-contradicted': schemas.typeContradicted as Rule,
  'format-contradicted': schemas.formatContradicted as Rule,
  'fields-moved': fieldsMoved as Rule,
  'object-replaced': objectReplaced as Rule,
  'required-missing': schemas.requiredMissing as Rule,
  'value-contradicted': schemas.valueContradicted as Rule,
  'structure-contradicted': schemas.structureContradicted as Rule,
  'field-against-condition': fieldAgainstCondition as Rule,
  'limit-not-enforced': refusals.limitNotEnforced as Rule,
  'precondition-not-enforced': refusals.preconditionNotEnforced as Rule,
  'deprecated-shape-differs': deprecatedShapeDiffers as Rule,
  'sunset-near': sunsetNear as Rule,
  'body-presence-changed': bodyPresenceChanged as Rule,
  'unrecorded-field': unrecordedField as Rule,
  'undocumented-field': undocumentedField as Rule,
  'undocumented-status': undocumentedStatus as Rule,
  'undocumented-content-type': undocumentedContentType as Rule,
  'unmatched-exchange': unmatchedExchange as Rule,
  'tls-not-verified': tlsNotVerified as Rule,
  'contract-check-failed': contractCheckFailed as Rule,
} as const;

export type RuleId = keyof typeof RULES;

export const RULE_IDS: readonly RuleId[] = Object.keys(RULES) as RuleId[];

/** The rule of that id; undefined for one of another engine, or of the audit. */
export function ruleOf(id: string): Rule | undefined {
  return Object.hasOwn(RULES, id) ? RULES[id as RuleId] : undefined;
}

/** Rules that find an answer otherwise than what is known of it; the others look at what is new, or at what only a live target shows. */
export const CONTRADICTIONS: readonly RuleId[] = [
  'status-changed',
  'content-type-contradicted',
  'type-contradicted',
  'format-contradicted',
  'fields-moved',
  'object-replaced',
  'required-missing',
  'value-contradicted',
  'structure-contradicted',
];

/** What a contract calls a rule of the engine (`rules` of contract.yaml): the id that reports and baselines know it by. */
export function ruleName(rule: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.hasOwn(rules, rule) ? (rules[rule] ?? rule) : rule;
}

/** The engine's id of a rule by its name in a contract. */
export function ruleNamed(name: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.entries(rules).find(([, alias]) => alias === name)?.[0] ?? name;
}
