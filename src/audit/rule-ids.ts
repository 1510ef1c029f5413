/** Every rule on a caller, in the order in which its findings are listed. */
export const AUDIT_RULE_IDS = [
  'token-missing',
  'token-in-url',
  'secret-in-query',
  'token-request-malformed',
  'token-not-cached',
  'refresh-not-shared',
  'token-not-renewed-in-time',
  'lifetime-assumed',
  'token-used-after-expiry',
  'unauthorized-not-retried',
  'retried-with-dead-token',
  'retried-more-than-once',
  'refresh-loop',
  'token-endpoint-hammered',
  'renewed-without-401',
  'rate-limit-ignored',
  'deprecated-operation-called',
  'unknown-operation',
  'request-contradicts-contract',
] as const;

export type AuditRuleId = (typeof AUDIT_RULE_IDS)[number];
