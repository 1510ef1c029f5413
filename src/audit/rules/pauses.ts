import { count } from '../../text/words.ts';
import { type AuditRule, observeAlike, type RuleObservation, subject } from '../rule.ts';
import { HAMMER, HAMMER_PAUSED, HAMMER_STATED, HAMMER_WINDOW, HURRY, LOOP, SAME_MOMENT, span } from '../times.ts';
import { gaveToken, inTimeOrder, isOnOneConnection, nextAfter, type Sent, type Traffic } from '../traffic.ts';

export const tokenEndpointHammered: AuditRule<'token-endpoint-hammered'> = {
  id: 'token-endpoint-hammered',
  title: 'Token requests without a pause',
  part: 'reuse',
  isPerProgram: true,
  severity: 'warning',
  message: ({ actual }) =>
    actual.endsWith('the same token')
      ? 'The caller repeats token requests without a pause, although the endpoint returns the same token until it expires.'
      : 'The caller repeats token requests without a pause, although the endpoint fails.',
  needs: 'a failed token request and a pause',
  evidence: (occasions, kept) => `${count(occasions, 'failed or repeated token request')}, ${kept} followed by a pause`,
  judge(of) {
    const failed = of.traffic.tokenRequests.filter(({ status }) => status === null || status >= 300);
    const same = of.renewals.flatMap(({ request, reason, held }) =>
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
        expected: 'one token until it expires',
        actual: 'token requests without a pause, answered with the same token',
        detail: `${repeats.length} returned the same token within ${spread(repeats)}.`,
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
  title: 'A call repeated before the end of its pause after 429',
  reference: 'RFC 6585, 4; RFC 9110, 10.2.3',
  isPerProgram: true,
  severity: 'warning',
  message: (_, operation) => `${subject(operation)} was sent again too early after a 429.`,
  needs: 'a 429 and the same call after the pause',
  evidence: (occasions, kept) => `${count(occasions, 'response')} of 429, ${kept} followed by the pause`,
  judge({ traffic, situation }) {
    const limited = traffic.calls.filter(({ status }) => status === 429);
    const repeats = repeatsOf(limited, traffic);
    const early = repeats.filter((repeat) => isEarly(repeat, traffic));
    const isStated = early.some(({ before }) => statedPause(before) !== null);
    const needed = situation === undefined && !isStated ? HAMMER : HAMMER_STATED;
    const dense = new Set(denseFrom(inTimeOrder(early.map(({ again }) => again)), needed));
    // a driven program makes the same call several times, and its first calls are no repetition
    const isRetried = (one: Repeat): boolean =>
      situation === undefined && statedPause(one.before) !== null && isRetry(one);
    const broken = early.filter((one) => isRetried(one) || dense.has(one.again));
    return {
      occasions: limited.length,
      kept: repeats.filter(({ before, again }) => again.start >= pauseEnd(before)).length,
      observations: observeAlike(
        broken,
        ({ again }) => again.operationId,
        ({ before, again }, all) => ({
          operationId: again.operationId,
          expected: 'the same call after the pause',
          actual: 'the same call before the end of the pause',
          detail: `#${again.seq} followed the 429 of #${before.seq} after ${span(again.start - before.end)}${pauseText(before)}.`,
          evidence: inTimeOrder(all.flatMap((pair) => [pair.before, pair.again])),
        }),
      ),
      ...(broken.length === 0 && { seen: early.length, needed }),
    };
  },
};

export const forbiddenRepeated: AuditRule<'forbidden-repeated'> = {
  id: 'forbidden-repeated',
  title: 'A call repeated with the same token after 403',
  reference: 'RFC 9110, 15.5.4',
  isPerProgram: true,
  severity: 'warning',
  message: (_, operation) => `${subject(operation)} was sent again and again, although it returned 403.`,
  needs: 'a 403',
  evidence: (occasions, kept) => `${count(occasions, 'response')} of 403, ${kept} not followed by the same call`,
  judge({ traffic, situation }) {
    const refused = traffic.calls.filter(({ status, token }) => status === 403 && token !== null);
    const repeats = repeatsOf(refused, traffic).filter(
      ({ before, again }) =>
        again.token === before.token && again.start - before.end <= HAMMER_WINDOW && traffic.inTurn(before, again),
    );
    const broken = [...Map.groupBy(repeats, ({ again }) => again.key).values()].flatMap((alike) => {
      const retries = alike.filter((one) => situation !== undefined || isRetry(one)).map(({ again }) => again);
      const dense = denseFrom(retries, HAMMER_STATED);
      return dense.length > 0
        ? [dense]
        : [denseFrom(alike.map(({ again }) => again))].filter(({ length }) => length > 0);
    });
    return {
      occasions: refused.length,
      kept: refused.length - repeats.length,
      observations: observeAlike(
        broken,
        ([again]) => again?.operationId,
        (again, all) => ({
          operationId: again[0]?.operationId ?? null,
          expected: 'no second attempt without other rights',
          actual: 'the same call and token after 403',
          detail: `It was sent ${again.length} more times within ${spread(again)}.`,
          evidence: inTimeOrder(all.flat()),
        }),
      ),
      seen: repeats.length,
      needed: HAMMER_STATED,
    };
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

/** Longest gap between two calls of a program that makes them in turn. Milliseconds. */
const IN_TURN = 100;
const MOST_BEFORE = 200;

/** A rejection and the next attempt of the same request. */
interface Repeat {
  readonly before: Sent;
  readonly again: Sent;
  /** Earlier rejections of the same request, the latest ones. */
  readonly earlier: readonly Sent[];
}

function repeatsOf(limited: readonly Sent[], { calls }: Traffic): Repeat[] {
  const byKey = Map.groupBy(calls, ({ key }) => key);
  return [...Map.groupBy(limited, ({ key }) => key)].flatMap(([key, alike]) =>
    alike.flatMap((before, index): Repeat[] => {
      const again = nextAfter(before, before.end, byKey.get(key) ?? []);
      const earlier = alike.slice(Math.max(0, index - MOST_BEFORE), index);
      return again === undefined ? [] : [{ before, again, earlier }];
    }),
  );
}

/**
 * Parallel calls in flight know nothing of the 429. On a fast machine they may look sequential: then they use other
 * connections, are few, and come within a moment.
 */
function isEarly({ before, again, earlier }: Repeat, traffic: Traffic): boolean {
  if (again.start >= pauseEnd(before) || !traffic.inTurn(before, again)) return false;
  // it may be the attempt of another worker, whose own pause is over
  if (earlier.some((other) => pauseEnd(other) > before.start && pauseEnd(other) <= again.start)) return false;
  if (isOnOneConnection(before, again, traffic)) return true;
  const open = earlier.filter((other) => pauseEnd(other) > again.start);
  const [first = before] = open;
  const isLong = again.start - first.end > SAME_MOMENT || open.length >= LOOP;
  return isLong && traffic.inTurn(first, again);
}

/** A program that makes one call in turn makes it at once; a retry waits. */
function isRetry({ before, again }: Repeat): boolean {
  return again.start - before.end > IN_TURN;
}

function pauseEnd(limited: Sent): number {
  return limited.end + (statedPause(limited) ?? DEFAULT_PAUSE);
}

/** Milliseconds; null if the answer states no pause. */
function statedPause({ entry, end }: Sent): number | null {
  const value = entry.response?.headers.find(([name]) => name === 'retry-after')?.[1].trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - end);
}

function pauseText(limited: Sent): string {
  const pause = statedPause(limited);
  return pause === null ? ', without a pause' : `; Retry-After stated ${span(pause)}`;
}
