import type { AuditRule } from './rule.ts';
import * as credentials from './rules/credentials.ts';
import * as evolution from './rules/evolution.ts';
import * as expiry from './rules/expiry.ts';
import * as pauses from './rules/pauses.ts';
import * as refreshes from './rules/refresh-not-shared.ts';
import * as renewals from './rules/renewals.ts';
import * as requests from './rules/requests.ts';
import * as retries from './rules/retries.ts';
import * as tokenRequest from './rules/token-request.ts';
import * as writes from './rules/writes.ts';

const RULES = [
  credentials.tokenMissing,
  credentials.tokenInUrl,
  credentials.secretInQuery,
  credentials.secretPrinted,
  tokenRequest.tokenRequestMalformed,
  renewals.tokenNotCached,
  refreshes.refreshNotShared,
  expiry.tokenNotRenewedInTime,
  expiry.lifetimeAssumed,
  expiry.tokenUsedAfterExpiry,
  retries.unauthorizedNotRetried,
  retries.retriedWithDeadToken,
  retries.retriedMoreThanOnce,
  retries.refreshLoop,
  pauses.tokenEndpointHammered,
  renewals.renewedWithout401,
  pauses.rateLimitIgnored,
  pauses.forbiddenRepeated,
  requests.deprecatedOperationCalled,
  requests.unknownOperation,
  requests.placeholderInPath,
  requests.requestContradictsContract,
  requests.headerWithoutEffect,
  writes.writeDoneTwice,
  writes.writeLostSilently,
  writes.writeOutcomeNotLookedUp,
  evolution.evolutionNotTolerated,
] as const;

export type AuditRuleId = (typeof RULES)[number]['id'];

/**
 * Every audit rule, in the order of the report. `npm run generate` adds a new rule to docs/audit.md and starts its page.
 */
export const ALL_AUDIT_RULES: readonly AuditRule<AuditRuleId>[] = RULES;

/** Only runs that `survive` disturbs show these. */
const DISTURBED_RULES: readonly AuditRule[] = [
  writes.writeLostSilently,
  writes.writeOutcomeNotLookedUp,
  evolution.evolutionNotTolerated,
];

export const CALLER_RULES: readonly AuditRule<AuditRuleId>[] = ALL_AUDIT_RULES.filter(
  (rule) => !DISTURBED_RULES.includes(rule),
);

/** Rules that need a run in which answers to writes are lost. */
export const WRITE_RULES: readonly AuditRule<AuditRuleId>[] = [
  writes.writeDoneTwice,
  writes.writeLostSilently,
  writes.writeOutcomeNotLookedUp,
  credentials.secretPrinted,
];

/** Rules that need runs in which answers are changed. */
export const EVOLUTION_RULES: readonly AuditRule<AuditRuleId>[] = [
  evolution.evolutionNotTolerated,
  credentials.secretPrinted,
];

export const AUDIT_RULE_IDS: readonly AuditRuleId[] = ALL_AUDIT_RULES.map(({ id }) => id);
