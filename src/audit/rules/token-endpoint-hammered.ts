import { findRenewals } from '../renewals.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { HAMMER, HAMMER_WINDOW, span } from '../times.ts';
import { gaveToken, type Sent } from '../traffic.ts';

/** A token endpoint that fails, or that gives out the same token until it has expired, is given a pause. */
export const tokenEndpointHammered: AuditRule = {
  id: 'token-endpoint-hammered',
  judge(of) {
    const failed = of.traffic.tokenRequests.filter(({ status }) => status === null || status >= 300);
    const same = findRenewals(of).flatMap(({ request, reason, held }) =>
      reason === 'due' && held !== null && gaveToken(request) && request.entry.token?.id === held.id ? [request] : [],
    );
    const failures = densest(failed);
    const repeats = densest(same);
    const observations: Observation[] = [];
    if (failures.length > 0) {
      observations.push({
        expected: 'pauses between failed token requests',
        actual: 'failed token requests without a pause',
        detail: `${failures.length} failed within ${spread(failures)}.`,
        evidence: failures,
      });
    }
    if (repeats.length > 0) {
      observations.push({
        expected: 'the token that is given out, used until it has expired',
        actual: 'token requests without a pause, answered with the same token',
        detail: `${repeats.length} brought the same token within ${spread(repeats)}.`,
        evidence: repeats,
      });
    }
    const occasions = failed.length + same.length;
    return { occasions, kept: occasions - failures.length - repeats.length, observations };
  },
};

/** The first requests that are so many in so short a time; empty where there are none. */
function densest(requests: readonly Sent[]): readonly Sent[] {
  const first = requests.find((one, index) => {
    const last = requests[index + HAMMER - 1];
    return last !== undefined && last.start - one.start <= HAMMER_WINDOW;
  });
  if (first === undefined) return [];
  return requests.filter(({ start }) => start >= first.start && start - first.start <= HAMMER_WINDOW);
}

function spread(requests: readonly Sent[]): string {
  return span((requests.at(-1)?.start ?? 0) - (requests[0]?.start ?? 0));
}
