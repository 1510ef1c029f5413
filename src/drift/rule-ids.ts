/** Every rule of a run, in the order in which findings are listed within an operation. */
export const RULE_IDS = [
  'token-not-refused',
  'token-refused-otherwise',
  'wrong-credentials-accepted',
  'wrong-grant-accepted',
  'token-not-jwt',
  'token-lifetime-not-positive',
  'operation-withdrawn',
  'operation-failing',
  'status-changed',
  'method-not-refused',
  'content-type-contradicted',
  'type-contradicted',
  'format-contradicted',
  'required-missing',
  'value-contradicted',
  'structure-contradicted',
  'card-token-not-physical',
  'card-limit-not-enforced',
  'security-questions-not-enforced',
  'deprecated-shape-differs',
  'undocumented-field',
  'undocumented-status',
  'undocumented-content-type',
  'contract-check-failed',
] as const;

export type RuleId = (typeof RULE_IDS)[number];
