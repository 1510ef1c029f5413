import type { AuditRule } from './rule.ts';
import * as credentials from './rules/credentials.ts';
import * as expiry from './rules/expiry.ts';
import * as pauses from './rules/pauses.ts';
import * as refreshes from './rules/refresh-not-shared.ts';
import * as renewals from './rules/renewals.ts';
import * as requests from './rules/requests.ts';
import * as retries from './rules/retries.ts';
import * as tokenRequest from './rules/token-request.ts';
import * as writes from './rules/writes.ts';

type Exported = typeof credentials &
  typeof expiry &
  typeof pauses &
  typeof refreshes &
  typeof renewals &
  typeof requests &
  typeof retries &
  typeof tokenRequest &
  typeof writes;

export type AuditRuleId = Extract<Exported[keyof Exported], AuditRule>['id'];

/**
 * Every audit rule, in the order of the report. A rule that its file exports but that is missing here does not compile.
 * `npm run generate` adds a new rule to docs/audit.md and starts its page.
 */
export const AUDIT_RULES: { readonly [Id in AuditRuleId]: AuditRule<Id> } = {
  'token-missing': credentials.tokenMissing,
  'token-in-url': credentials.tokenInUrl,
  'secret-in-query': credentials.secretInQuery,
  'secret-printed': credentials.secretPrinted,
  'token-request-malformed': tokenRequest.tokenRequestMalformed,
  'token-not-cached': renewals.tokenNotCached,
  'refresh-not-shared': refreshes.refreshNotShared,
  'token-not-renewed-in-time': expiry.tokenNotRenewedInTime,
  'lifetime-assumed': expiry.lifetimeAssumed,
  'token-used-after-expiry': expiry.tokenUsedAfterExpiry,
  'unauthorized-not-retried': retries.unauthorizedNotRetried,
  'retried-with-dead-token': retries.retriedWithDeadToken,
  'retried-more-than-once': retries.retriedMoreThanOnce,
  'refresh-loop': retries.refreshLoop,
  'token-endpoint-hammered': pauses.tokenEndpointHammered,
  'renewed-without-401': renewals.renewedWithout401,
  'rate-limit-ignored': pauses.rateLimitIgnored,
  'deprecated-operation-called': requests.deprecatedOperationCalled,
  'unknown-operation': requests.unknownOperation,
  'placeholder-in-path': requests.placeholderInPath,
  'request-contradicts-contract': requests.requestContradictsContract,
  'write-done-twice': writes.writeDoneTwice,
  'write-lost-silently': writes.writeLostSilently,
  'write-outcome-not-looked-up': writes.writeOutcomeNotLookedUp,
};

export const ALL_AUDIT_RULES: readonly AuditRule<AuditRuleId>[] = Object.values(AUDIT_RULES);

export const CALLER_RULES: readonly AuditRule<AuditRuleId>[] = ALL_AUDIT_RULES.filter(
  ({ id }) => !id.startsWith('write-'),
);

/** Rules that need a run in which answers to writes are lost. */
export const WRITE_RULES: readonly AuditRule<AuditRuleId>[] = [
  writes.writeDoneTwice,
  writes.writeLostSilently,
  writes.writeOutcomeNotLookedUp,
  credentials.secretPrinted,
];

export const AUDIT_RULE_IDS: readonly AuditRuleId[] = ALL_AUDIT_RULES.map(({ id }) => id);
