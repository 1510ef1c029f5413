import type { AuditRule } from './rule.ts';
import { deprecatedOperationCalled } from './rules/deprecated-operation-called.ts';
import { lifetimeAssumed } from './rules/lifetime-assumed.ts';
import { rateLimitIgnored } from './rules/rate-limit-ignored.ts';
import { refreshLoop } from './rules/refresh-loop.ts';
import { refreshNotShared } from './rules/refresh-not-shared.ts';
import { renewedWithout401 } from './rules/renewed-without-401.ts';
import { requestContradictsContract } from './rules/request-contradicts-contract.ts';
import { retriedMoreThanOnce } from './rules/retried-more-than-once.ts';
import { retriedWithDeadToken } from './rules/retried-with-dead-token.ts';
import { secretInQuery } from './rules/secret-in-query.ts';
import { tokenEndpointHammered } from './rules/token-endpoint-hammered.ts';
import { tokenInUrl } from './rules/token-in-url.ts';
import { tokenMissing } from './rules/token-missing.ts';
import { tokenNotCached } from './rules/token-not-cached.ts';
import { tokenNotRenewedInTime } from './rules/token-not-renewed-in-time.ts';
import { tokenRequestMalformed } from './rules/token-request-malformed.ts';
import { tokenUsedAfterExpiry } from './rules/token-used-after-expiry.ts';
import { unauthorizedNotRetried } from './rules/unauthorized-not-retried.ts';
import { unknownOperation } from './rules/unknown-operation.ts';

/** Every rule on a caller, in the order of `AUDIT_RULE_IDS`. */
export const auditRules: readonly AuditRule[] = [
  tokenMissing,
  tokenInUrl,
  secretInQuery,
  tokenRequestMalformed,
  tokenNotCached,
  refreshNotShared,
  tokenNotRenewedInTime,
  lifetimeAssumed,
  tokenUsedAfterExpiry,
  unauthorizedNotRetried,
  retriedWithDeadToken,
  retriedMoreThanOnce,
  refreshLoop,
  tokenEndpointHammered,
  renewedWithout401,
  rateLimitIgnored,
  deprecatedOperationCalled,
  unknownOperation,
  requestContradictsContract,
];
