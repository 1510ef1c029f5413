import type { ContractFolder } from '../contract/folder.ts';
import type { Rule } from './rule.ts';
import * as announcements from './rules/announcements.ts';
import * as answers from './rules/answers.ts';
import * as comparisons from './rules/comparisons.ts';
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

/** Order of findings in an operation. `npm run generate` adds a rule to docs/rules/README.md and begins its page. */
export const ALL_RULES: readonly Rule[] = [
  refusals.tokenNotRefused,
  refusals.tokenRefusedOtherwise,
  refusals.wrongCredentialsAccepted,
  refusals.wrongGrantAccepted,
  tokens.tokenNotJwt,
  tokens.tokenLifetimeNotPositive,
  tokens.tokenLifetimeExceedsExp,
  answers.operationWithdrawn,
  answers.operationFailing,
  answers.statusChanged,
  answers.idsGone,
  answers.operationUnsettled,
  refusals.methodNotRefused,
  comparisons.requestNarrowed,
  comparisons.requestChanged,
  comparisons.requestWidened,
  contentTypes.contentTypeContradicted,
  schemas.typeContradicted,
  schemas.formatContradicted,
  rebuilt.fieldsMoved,
  rebuilt.fieldsRenamed,
  rebuilt.objectReplaced,
  schemas.requiredMissing,
  schemas.valueContradicted,
  schemas.structureContradicted,
  comparisons.answerWidened,
  comparisons.answerChanged,
  conditions.fieldAgainstCondition,
  refusals.limitNotEnforced,
  refusals.preconditionNotEnforced,
  deprecations.deprecatedShapeDiffers,
  announcements.deprecationAnnounced,
  announcements.sunsetNear,
  announcements.announcementMalformed,
  contentTypes.bodyPresenceChanged,
  unknownFields.unrecordedField,
  unknownFields.undocumentedField,
  contents.contentsNew,
  contents.integerTooLarge,
  jsonTexts.keyTwice,
  jsonTexts.byteOrderMark,
  answers.parameterEchoedDifferently,
  answers.undocumentedStatus,
  contentTypes.undocumentedContentType,
  run.unmatchedExchange,
  run.tlsNotVerified,
  run.contractCheckFailed,
  run.ownCheckFailed,
];

export function ruleOf(id: string): Rule | undefined {
  return ALL_RULES.find((rule) => rule.id === id);
}

export function ruleName(rule: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.hasOwn(rules, rule) ? (rules[rule] ?? rule) : rule;
}

export function ruleNamed(name: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.entries(rules).find(([, alias]) => alias === name)?.[0] ?? name;
}
