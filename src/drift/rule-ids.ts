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
  'fields-moved',
  'object-replaced',
  'required-missing',
  'value-contradicted',
  'structure-contradicted',
  'field-against-condition',
  'limit-not-enforced',
  'precondition-not-enforced',
  'deprecated-shape-differs',
  'sunset-near',
  'body-presence-changed',
  'unrecorded-field',
  'undocumented-field',
  'undocumented-status',
  'undocumented-content-type',
  'unmatched-exchange',
  'tls-not-verified',
  'contract-check-failed',
] as const;

export type RuleId = (typeof RULE_IDS)[number];

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
