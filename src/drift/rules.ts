import type { Rule } from './rule.ts';
import { bodyPresenceChanged } from './rules/body-presence-changed.ts';
import { contentTypeContradicted } from './rules/content-type-contradicted.ts';
import { contractCheckFailed } from './rules/contract-check-failed.ts';
import { deprecatedShapeDiffers } from './rules/deprecated-shape-differs.ts';
import { fieldAgainstCondition } from './rules/field-against-condition.ts';
import { fieldsMoved } from './rules/fields-moved.ts';
import { formatContradicted } from './rules/format-contradicted.ts';
import { limitNotEnforced } from './rules/limit-not-enforced.ts';
import { methodNotRefused } from './rules/method-not-refused.ts';
import { objectReplaced } from './rules/object-replaced.ts';
import { operationFailing } from './rules/operation-failing.ts';
import { operationWithdrawn } from './rules/operation-withdrawn.ts';
import { preconditionNotEnforced } from './rules/precondition-not-enforced.ts';
import { requiredMissing } from './rules/required-missing.ts';
import { statusChanged } from './rules/status-changed.ts';
import { structureContradicted } from './rules/structure-contradicted.ts';
import { sunsetNear } from './rules/sunset-near.ts';
import { tlsNotVerified } from './rules/tls-not-verified.ts';
import { tokenLifetimeNotPositive } from './rules/token-lifetime-not-positive.ts';
import { tokenNotJwt } from './rules/token-not-jwt.ts';
import { tokenNotRefused } from './rules/token-not-refused.ts';
import { tokenRefusedOtherwise } from './rules/token-refused-otherwise.ts';
import { typeContradicted } from './rules/type-contradicted.ts';
import { undocumentedContentType } from './rules/undocumented-content-type.ts';
import { undocumentedField } from './rules/undocumented-field.ts';
import { undocumentedStatus } from './rules/undocumented-status.ts';
import { unmatchedExchange } from './rules/unmatched-exchange.ts';
import { unrecordedField } from './rules/unrecorded-field.ts';
import { valueContradicted } from './rules/value-contradicted.ts';
import { wrongCredentialsAccepted } from './rules/wrong-credentials-accepted.ts';
import { wrongGrantAccepted } from './rules/wrong-grant-accepted.ts';

/** Every rule of a run, in the order of `RULE_IDS`. */
export const rules: readonly Rule[] = [
  tokenNotRefused,
  tokenRefusedOtherwise,
  wrongCredentialsAccepted,
  wrongGrantAccepted,
  tokenNotJwt,
  tokenLifetimeNotPositive,
  operationWithdrawn,
  operationFailing,
  statusChanged,
  methodNotRefused,
  contentTypeContradicted,
  typeContradicted,
  formatContradicted,
  fieldsMoved,
  objectReplaced,
  requiredMissing,
  valueContradicted,
  structureContradicted,
  fieldAgainstCondition,
  limitNotEnforced,
  preconditionNotEnforced,
  deprecatedShapeDiffers,
  sunsetNear,
  bodyPresenceChanged,
  unrecordedField,
  undocumentedField,
  undocumentedStatus,
  undocumentedContentType,
  unmatchedExchange,
  tlsNotVerified,
  contractCheckFailed,
];
