import { inOrder } from '../evidence.ts';
import { findRenewals, isOtherRefusal } from '../renewals.ts';
import type { AuditRule, Observation } from '../rule.ts';

/** 403 and 429 say nothing against the token: no new one is fetched because of them. */
export const renewedWithout401: AuditRule = {
  id: 'renewed-without-401',
  judge(of) {
    const renewals = findRenewals(of).filter(({ reason }) => reason === 'other-refusal');
    const refused = of.traffic.calls.filter((call) => call.token !== null && isOtherRefusal(call));
    const statuses = [...new Set(renewals.map(({ cause }) => cause?.status))].join(' and ');
    const observations: Observation[] =
      renewals.length === 0
        ? []
        : [
            {
              expected: 'the token kept: 403 and 429 say nothing against it',
              actual: `a new token after ${statuses}`,
              detail: `${renewals.length} of ${refused.length} such answers led to a token request.`,
              evidence: inOrder(renewals.flatMap(({ cause, request }) => [cause, request])),
              times: renewals.length,
            },
          ];
    return { occasions: refused.length, kept: Math.max(0, refused.length - renewals.length), observations };
  },
};
