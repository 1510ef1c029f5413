import { inOrder } from '../evidence.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { firstFrom } from '../search.ts';
import { AT_ONCE, GIVEN_UP, MARGIN_SHARE, marginsOf, span } from '../times.ts';
import { isSequential, type Sent, type Traffic } from '../traffic.ts';

/** A call within the margin before the expiry causes, or finds, a token request. */
export const tokenNotRenewedInTime: AuditRule = {
  id: 'token-not-renewed-in-time',
  judge({ traffic, tolerance, contract, readAt }) {
    const { shortest, longest } = marginsOf(contract);
    const observations: Observation[] = [];
    let occasions = 0;
    let openUntil: number | undefined;
    const before = answersBefore(traffic);
    for (const { issues, uses, expiresAt, expiresIn } of traffic.tokens.values()) {
      const issue = issues.at(-1);
      if (expiresAt === null || expiresIn === null || issue === undefined) continue;
      const margin = Math.min(shortest, expiresIn * 1000 * MARGIN_SHARE);
      // what two clocks may be apart counts, or else what came of what on one clock
      const due = margin > tolerance ? expiresAt - margin + tolerance : Number.POSITIVE_INFINITY;
      const had = uses.find(({ start }) => start >= issue.end)?.start ?? issue.end;
      const surelyDue = had + expiresIn * 1000 - margin / 2;
      if (before === null && due === Number.POSITIVE_INFINITY) continue;
      if (isAskedWithin(traffic, Math.max(issue.end + 1, expiresAt - longest), expiresAt)) occasions += 1;
      // the rules on what comes after the expiry say it better
      if (uses.some(({ start }) => start > expiresAt + tolerance)) continue;
      const unrenewed = uses.filter(
        (use) =>
          (use.start >= due || (before?.get(use) ?? 0) >= surelyDue) &&
          !isAskedWithin(traffic, issue.end + 1, use.start + AT_ONCE),
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

/**
 * When the answer before each request had come; null for a program that does several things at once. One that does not chooses the token
 * after that, and had it at the latest when it first used it: whatever was late, these two can be compared.
 */
function answersBefore(traffic: Traffic): ReadonlyMap<Sent, number> | null {
  if (!isSequential(traffic)) return null;
  return new Map(traffic.sent.map((one, index) => [one, traffic.sent[index - 1]?.end ?? 0]));
}

function isAskedWithin({ tokenRequests }: Traffic, from: number, to: number): boolean {
  const next = tokenRequests[firstFrom(tokenRequests, from, ({ start }) => start)];
  return next !== undefined && next.start <= to;
}
