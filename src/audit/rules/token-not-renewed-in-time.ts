import { inOrder } from '../evidence.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { firstFrom } from '../search.ts';
import { AT_ONCE, GIVEN_UP, MARGIN_SHARE, marginsOf, span } from '../times.ts';
import { choices, isSequential, type Traffic } from '../traffic.ts';

/** A call within the margin before the expiry causes, or finds, a token request. */
export const tokenNotRenewedInTime: AuditRule = {
  id: 'token-not-renewed-in-time',
  judge({ traffic, tolerance, contract, readAt }) {
    const { shortest, longest } = marginsOf(contract);
    const observations: Observation[] = [];
    let occasions = 0;
    let openUntil: number | undefined;
    const sequential = isSequential(traffic);
    const chosenAt = choices(traffic);
    for (const { issues, uses, expiresAt, expiresIn } of traffic.tokens.values()) {
      const issue = issues.at(-1);
      if (expiresAt === null || expiresIn === null || issue === undefined) continue;
      const margin = Math.min(shortest, expiresIn * 1000 * MARGIN_SHARE);
      // where it is certain that the token was chosen after an answer, no clocks have to be compared
      const slack = sequential ? Math.min(tolerance, margin / 2) : tolerance;
      if (margin <= slack) continue;
      if (isAskedWithin(traffic, Math.max(issue.end + 1, expiresAt - longest), expiresAt)) occasions += 1;
      // the rules on what comes after the expiry say it better
      if (uses.some(({ start }) => start > expiresAt + tolerance)) continue;
      const unrenewed = uses.filter(
        (use) =>
          chosenAt(use) >= expiresAt - margin + slack && !isAskedWithin(traffic, issue.end + 1, use.start + AT_ONCE),
      );
      const last = unrenewed.at(-1);
      if (last === undefined) continue;
      // a token request that is under way is not in the journal yet
      if (readAt !== null && readAt - last.start <= GIVEN_UP) {
        openUntil = Math.min(openUntil ?? Number.POSITIVE_INFINITY, last.start + GIVEN_UP + 1);
        continue;
      }
      observations.push({
        expected: 'a new token 30 to 60 s before the expiry',
        actual: 'none within the margin',
        detail: `${span(Math.max(0, expiresAt - last.start))} before the expiry the token of #${issue.seq} (expires_in ${expiresIn}) was in use and no new one under way.`,
        evidence: inOrder([issue, ...unrenewed]),
        times: 1,
      });
    }
    return {
      occasions: occasions + observations.length,
      kept: occasions,
      observations,
      ...(openUntil === undefined ? {} : { openUntil }),
    };
  },
};

function isAskedWithin({ tokenRequests }: Traffic, from: number, to: number): boolean {
  const next = tokenRequests[firstFrom(tokenRequests, from, ({ start }) => start)];
  return next !== undefined && next.start <= to;
}
