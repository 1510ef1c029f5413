import type { AuditRule } from '../rule.ts';
import { HAMMER, HAMMER_WINDOW, span } from '../times.ts';

/** A token endpoint that fails is given a pause. */
export const tokenEndpointHammered: AuditRule = {
  id: 'token-endpoint-hammered',
  judge({ traffic }) {
    const failed = traffic.tokenRequests.filter(({ status }) => status === null || status >= 300);
    const dense = failed.find((first, index) => {
      const last = failed[index + HAMMER - 1];
      return last !== undefined && last.start - first.start <= HAMMER_WINDOW;
    });
    if (dense === undefined) return { exercised: failed.length > 0, observations: [] };
    const burst = failed.filter(({ start }) => start >= dense.start && start - dense.start <= HAMMER_WINDOW);
    const spread = (burst.at(-1)?.start ?? dense.start) - dense.start;
    return {
      exercised: true,
      observations: [
        {
          expected: 'pauses between failed token requests',
          actual: 'failed token requests without a pause',
          detail: `${burst.length} failed within ${span(spread)}.`,
          evidence: burst,
        },
      ],
    };
  },
};
