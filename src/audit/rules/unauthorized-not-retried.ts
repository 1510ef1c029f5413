import { gotNoToken } from '../attempts.ts';
import type { AuditRule, Case } from '../rule.ts';
import { AT_ONCE, GIVEN_UP, RECORDER_SLACK, RETRY_WINDOW, span } from '../times.ts';
import { groupBy, headerOf, isSequential, type Sent } from '../traffic.ts';

/** A call that is answered 401 is sent once more, with a new token. */
export const unauthorizedNotRetried: AuditRule = {
  id: 'unauthorized-not-retried',
  judge(of) {
    const { attempts, traffic, readAt } = of;
    const repeated = new Set(attempts.deadRepeats.flatMap(({ refused, repeated: again }) => [refused, again]));
    const retried = attempts.chains.filter(
      ({ attempts: [first, retry] }) => first?.status === 401 && retry !== undefined,
    );
    const lonely = attempts.unretried.filter((first) => !repeated.has(first));
    const own = new Set(traffic.calls);
    const elsewhere = groupBy(
      lonely.length === 0 ? [] : of.all.calls.filter((call) => !own.has(call)),
      ({ key }) => key,
    );
    const missing = lonely.filter((refused) => !isExcused(refused, of, elsewhere));
    const decidable = readAt === null ? null : missing.map((refused) => decidableFrom(refused, of));
    const open = (index: number): boolean => readAt !== null && (decidable?.[index] ?? 0) > readAt;
    const unretried = missing.filter((_, index) => !open(index));
    const openUntil = Math.min(...(decidable ?? []).filter((_, index) => open(index)));
    const end = readAt ?? of.all.end;
    return {
      occasions: retried.length + missing.length,
      kept: retried.length,
      observations: [...groupBy(unretried, ({ operation }) => operation?.operationId ?? '').values()].map((group) => ({
        operationId: group[0]?.operation?.operationId ?? null,
        expected: 'one retry with a new token',
        actual: 'no retry',
        detail: `Nothing of it followed the 401 of #${group[0]?.seq} for ${span(Math.max(0, end - (group[0]?.end ?? 0)))}, the end of the journal.`,
        evidence: group,
        times: group.length,
      })),
      ...(Number.isFinite(openUntil) ? { openUntil } : {}),
    };
  },
};

/**
 * From when on the retry of a refused request would be in a journal to which more may be added. Earlier than else where its caller has
 * moved on: it has a new token and sends other things with it.
 */
function decidableFrom(refused: Sent, { traffic, attempts }: Case): number {
  const given = refused.end + GIVEN_UP;
  const later = attempts.chains.find(({ attempts: [first] }) => {
    const issue = traffic.tokens.get(first?.token ?? '')?.issues[0];
    return first !== undefined && first.seq > refused.seq && issue !== undefined && issue.seq > refused.seq;
  })?.attempts[0];
  const issue = traffic.tokens.get(later?.token ?? '')?.issues[0];
  if (later === undefined || issue === undefined) return given;
  const armed = Math.max(refused.end, issue.end);
  // who does one thing after the other would have retried first
  const first = later.start > armed + RECORDER_SLACK && isSequential(traffic);
  return Math.min(given, armed + RETRY_WINDOW, first ? later.end + AT_ONCE : Number.POSITIVE_INFINITY);
}

function isExcused(refused: Sent, { traffic }: Case, elsewhere: ReadonlyMap<string, readonly Sent[]>): boolean {
  // a streamed body cannot be sent again
  if (headerOf(refused.entry, 'transfer-encoding')?.toLowerCase().includes('chunked')) return true;
  // another part of the same program may have sent it, on a connection that nothing links to this one
  const sentElsewhere = elsewhere.get(refused.key) ?? [];
  if (sentElsewhere.some(({ token, start }) => token !== refused.token && start >= refused.end)) return true;
  return gotNoToken(refused, traffic);
}
