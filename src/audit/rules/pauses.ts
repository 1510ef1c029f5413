import { count } from '../../text/words.ts';
import { findRenewals } from '../renewals.ts';
import type { AuditRule, RuleObservation } from '../rule.ts';
import { HAMMER, HAMMER_DRIVEN, HAMMER_PAUSED, HAMMER_WINDOW, HURRY, LOOP, span } from '../times.ts';
import { gaveToken, isOnOneConnection, nextAfter, type Sent } from '../traffic.ts';

export const tokenEndpointHammered: AuditRule<'token-endpoint-hammered'> = {
  id: 'token-endpoint-hammered',
  title: 'Token requests without a pause',
  reference: 'API reference, Authentication 6',
  severity: 'warning',
  message: ({ actual }) =>
    actual.endsWith('the same token')
      ? 'The caller repeats token requests without a pause, although the endpoint returns the same token until it expires.'
      : 'The caller repeats token requests without a pause, although the endpoint fails.',
  evidence: (occasions, kept) =>
    `${count(occasions, 'failed or repeated answer')} of the token endpoint, ${kept} given a pause`,
  judge(of) {
    const failed = of.traffic.tokenRequests.filter(({ status }) => status === null || status >= 300);
    const same = findRenewals(of).flatMap(({ request, reason, held }) =>
      reason === 'due' && held !== null && gaveToken(request) && request.entry.token?.id === held.id ? [request] : [],
    );
    const failures = hammeringOf(failed);
    const repeats = denseFrom(same);
    const observations: RuleObservation[] = [];
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
    const given = new Set([...failures, ...repeats]);
    const kept = [...failed, ...same].filter(
      (request) => !given.has(request) && isPaused(request, of.traffic.tokenRequests),
    ).length;
    return { occasions, kept, observations, seen: failed.length, needed: HAMMER };
  },
};

export const rateLimitIgnored: AuditRule<'rate-limit-ignored'> = {
  id: 'rate-limit-ignored',
  title: 'Calls without a pause on 429',
  reference: 'RFC 6585, 4; RFC 9110, 10.2.3',
  severity: 'warning',
  message: () => 'Calls go on while the answers are 429: the pause that Retry-After asks for is not made.',
  evidence: (occasions, kept) => `${count(occasions, 'answer')} of 429, ${kept} heeded`,
  judge({ traffic, situation }) {
    const { calls } = traffic;
    const limited = calls.filter(({ status }) => status === 429).sort((a, b) => a.end - b.end);
    const needed = situation === undefined ? HAMMER : HAMMER_DRIVEN;
    const early = earlyOf(calls, limited).filter(
      ({ call, before, open }) =>
        situation !== undefined ||
        open >= LOOP ||
        (traffic.inTurn(before, call) && isOnOneConnection(before, call, traffic)),
    );
    const evidence = early.map(({ call }) => call);
    const [first] = denseFrom(evidence, needed);
    const kept = limited.filter((one) => isHeeded(one, calls)).length;
    if (first === undefined) {
      return { occasions: limited.length, kept, observations: [], seen: evidence.length, needed };
    }
    const observation = {
      operationId: first.operationId,
      expected: 'a pause after 429, as long as Retry-After says',
      actual: 'calls without a pause',
      detail: `${early.length} were sent before the time was over, within ${spread([first, ...evidence])}.`,
      evidence,
    };
    return { occasions: limited.length, kept: 0, observations: [observation] };
  },
};

function denseFrom(requests: readonly Sent[], many = HAMMER): readonly Sent[] {
  const first = requests.find((one, index) => {
    const last = requests[index + many - 1];
    return last !== undefined && last.start - one.start <= HAMMER_WINDOW;
  });
  if (first === undefined) return [];
  return requests.filter(({ start }) => start >= first.start && start - first.start <= HAMMER_WINDOW);
}

/** The excess failed requests within {@link HAMMER_WINDOW}: mostly without a pause, or with pauses. */
function hammeringOf(failed: readonly Sent[]): readonly Sent[] {
  const hurried = failed.filter(({ start }, index) => start - (failed[index - 1]?.end ?? start - HURRY) < HURRY);
  const dense = denseFrom(hurried);
  return dense.length > 0 ? dense : denseFrom(failed, HAMMER_PAUSED);
}

/** False if no further request came: then the pause is unknown. */
function isPaused(request: Sent, requests: readonly Sent[]): boolean {
  const next = nextAfter(request, request.start, requests);
  return next !== undefined && next.start - request.end >= HURRY;
}

function spread(requests: readonly Sent[]): string {
  return span((requests.at(-1)?.start ?? 0) - (requests[0]?.start ?? 0));
}

/** Length of a pause in milliseconds if the answer does not state one. */
const DEFAULT_PAUSE = 500;
const MOST_OPEN = 200;

/** Calls with the number of answers whose pause is not over yet. Each parallel caller makes at most one pause. */
function earlyOf(calls: readonly Sent[], limited: readonly Sent[]) {
  let next = 0;
  let open: Sent[] = [];
  return calls.flatMap((call) => {
    for (; (limited[next]?.end ?? Number.POSITIVE_INFINITY) <= call.start; next += 1) open.push(limited[next] as Sent);
    open = open.filter((one) => call.start < one.end + pauseOf(one)).slice(-MOST_OPEN);
    // a call that ended in the same millisecond may have been sent later
    const before = open.findLast(({ seq }) => seq < call.seq);
    return before === undefined ? [] : [{ call, before, open: open.length }];
  });
}

/** False if no further call came: then it is unknown. */
function isHeeded(limited: Sent, calls: readonly Sent[]): boolean {
  const next = nextAfter(limited, limited.start, calls);
  return next !== undefined && next.start >= limited.end + pauseOf(limited);
}

function pauseOf({ entry, end }: Sent): number {
  const value = entry.response?.headers.find(([name]) => name === 'retry-after')?.[1].trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? DEFAULT_PAUSE : Math.max(0, at - end);
}
