import { gotNoToken } from '../attempts.ts';
import type { AuditRule, Case } from '../rule.ts';
import { RETRY_WINDOW, span } from '../times.ts';
import { groupBy, headerOf, type Sent } from '../traffic.ts';

/** A call that is answered 401 is sent once more, with a new token. */
export const unauthorizedNotRetried: AuditRule = {
  id: 'unauthorized-not-retried',
  judge(of) {
    const repeated = new Set(of.attempts.deadRepeats.flatMap(({ refused, repeated: again }) => [refused, again]));
    const firsts = of.attempts.chains.flatMap(({ attempts: [first] }) => (first?.status === 401 ? [first] : []));
    const lonely = of.attempts.unretried.filter((first) => !repeated.has(first));
    const own = new Set(of.traffic.calls);
    const elsewhere = groupBy(
      lonely.length === 0 ? [] : of.all.calls.filter((call) => !own.has(call)),
      ({ key }) => key,
    );
    const unretried = lonely.filter((refused) => isFinal(refused, of) && !isExcused(refused, of, elsewhere));
    return {
      exercised: firsts.length > 0,
      observations: [...groupBy(unretried, ({ operation }) => operation?.operationId ?? '').values()].map((group) => ({
        operationId: group[0]?.operation?.operationId ?? null,
        expected: 'one retry with a new token',
        actual: 'no retry',
        detail: `Nothing of it followed the 401 of #${group[0]?.seq} for ${span(of.all.end - (group[0]?.end ?? 0))}, the end of the journal.`,
        evidence: group,
        times: group.length,
      })),
    };
  },
};

/** Whether a retry would be in the journal by now. */
function isFinal(refused: Sent, { complete, all }: Case): boolean {
  return complete || all.end - refused.end > 2 * RETRY_WINDOW;
}

function isExcused(refused: Sent, { traffic }: Case, elsewhere: ReadonlyMap<string, readonly Sent[]>): boolean {
  // a streamed body cannot be sent again
  if (headerOf(refused.entry, 'transfer-encoding')?.toLowerCase().includes('chunked')) return true;
  // another part of the same program may have sent it, on a connection that nothing links to this one
  const sentElsewhere = elsewhere.get(refused.key) ?? [];
  if (sentElsewhere.some(({ token, start }) => token !== refused.token && start >= refused.end)) return true;
  return gotNoToken(refused, traffic);
}
