import type { ContractFolder } from '../contract/folder.ts';
import type { Rule } from './rule.ts';
import * as announcements from './rules/announcements.ts';
import * as answers from './rules/answers.ts';
import * as conditions from './rules/conditions.ts';
import * as contentTypes from './rules/content-types.ts';
import * as contents from './rules/contents.ts';
import * as deprecations from './rules/deprecations.ts';
import * as jsonTexts from './rules/json-texts.ts';
import * as rebuilt from './rules/rebuilt.ts';
import * as refusals from './rules/refusals.ts';
import * as run from './rules/run.ts';
import * as schemas from './rules/schemas.ts';
import * as tokens from './rules/tokens.ts';
import * as unknownFields from './rules/unknown-fields.ts';

type Exported = typeof announcements &
  typeof answers &
  typeof conditions &
  typeof contentTypes &
  typeof contents &
  typeof deprecations &
  typeof jsonTexts &
  typeof rebuilt &
  typeof refusals &
  typeof run &
  typeof schemas &
  typeof tokens &
  typeof unknownFields;

export type RuleId = Extract<Exported[keyof Exported], Rule>['id'];

/**
 * Every rule, in the order in which findings are listed within an operation. One that its file exports and that is missing here does
 * not compile. Of a new one `npm run generate` writes the row in docs/rules/README.md, and begins its page.
 */
export const RULES: { readonly [Id in RuleId]: Rule<Id> } = {
  'token-not-refused': refusals.tokenNotRefused,
  'token-refused-otherwise': refusals.tokenRefusedOtherwise,
  'wrong-credentials-accepted': refusals.wrongCredentialsAccepted,
  'wrong-grant-accepted': refusals.wrongGrantAccepted,
  'token-not-jwt': tokens.tokenNotJwt,
  'token-lifetime-not-positive': tokens.tokenLifetimeNotPositive,
  'operation-withdrawn': answers.operationWithdrawn,
  'operation-failing': answers.operationFailing,
  'status-changed': answers.statusChanged,
  'method-not-refused': refusals.methodNotRefused,
  'content-type-contradicted': contentTypes.contentTypeContradicted,
  'type-contradicted': schemas.typeContradicted,
  'format-contradicted': schemas.formatContradicted,
  'fields-moved': rebuilt.fieldsMoved,
  'fields-renamed': rebuilt.fieldsRenamed,
  'object-replaced': rebuilt.objectReplaced,
  'required-missing': schemas.requiredMissing,
  'value-contradicted': schemas.valueContradicted,
  'structure-contradicted': schemas.structureContradicted,
  'field-against-condition': conditions.fieldAgainstCondition,
  'limit-not-enforced': refusals.limitNotEnforced,
  'precondition-not-enforced': refusals.preconditionNotEnforced,
  'deprecated-shape-differs': deprecations.deprecatedShapeDiffers,
  'deprecation-announced': announcements.deprecationAnnounced,
  'sunset-near': announcements.sunsetNear,
  'announcement-malformed': announcements.announcementMalformed,
  'body-presence-changed': contentTypes.bodyPresenceChanged,
  'unrecorded-field': unknownFields.unrecordedField,
  'undocumented-field': unknownFields.undocumentedField,
  'contents-new': contents.contentsNew,
  'integer-too-large': contents.integerTooLarge,
  'key-twice': jsonTexts.keyTwice,
  'byte-order-mark': jsonTexts.byteOrderMark,
  'undocumented-status': answers.undocumentedStatus,
  'undocumented-content-type': contentTypes.undocumentedContentType,
  'unmatched-exchange': run.unmatchedExchange,
  'tls-not-verified': run.tlsNotVerified,
  'contract-check-failed': run.contractCheckFailed,
};

export const ALL_RULES: readonly Rule<RuleId>[] = Object.values(RULES);

/** The rule of that id; undefined for one of another engine, or of the audit. */
export function ruleOf(id: string): Rule | undefined {
  return Object.hasOwn(RULES, id) ? RULES[id as RuleId] : undefined;
}

/** What a contract calls a rule of the engine (`rules` of contract.yaml): the id that reports and baselines know it by. */
export function ruleName(rule: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.hasOwn(rules, rule) ? (rules[rule] ?? rule) : rule;
}

export function ruleNamed(name: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.entries(rules).find(([, alias]) => alias === name)?.[0] ?? name;
}
