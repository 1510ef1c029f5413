import type { AuditRule, Observation } from '../rule.ts';
import { firstFrom } from '../search.ts';
import { HAMMER, HAMMER_WINDOW, span } from '../times.ts';
import type { Sent } from '../traffic.ts';

/** Milliseconds of a pause that nobody named. */
const UNNAMED = 500;

/** After 429 a caller waits as long as `Retry-After` says; a few calls that were on their way do not count. */
export const rateLimitIgnored: AuditRule = {
  id: 'rate-limit-ignored',
  judge({ traffic: { calls } }) {
    const limited = calls.filter(({ status }) => status === 429).sort((a, b) => a.end - b.end);
    const early = calls.filter((call) => isEarly(call, limited));
    const dense = early.find((first, index) => {
      const last = early[index + HAMMER - 1];
      return last !== undefined && last.start - first.start <= HAMMER_WINDOW;
    });
    const observations: Observation[] =
      dense === undefined
        ? []
        : [
            {
              expected: 'a pause after 429, as long as Retry-After says',
              actual: 'calls without a pause',
              detail: `${early.length} were sent before the time was over, within ${span((early.at(-1)?.start ?? 0) - dense.start)}.`,
              evidence: early,
              times: 1,
            },
          ];
    return { occasions: limited.length, kept: dense === undefined ? limited.length : 0, observations };
  },
};

/** Sent after a 429 and before the time that it named was over. */
function isEarly(call: Sent, limited: readonly Sent[]): boolean {
  const before = limited[firstFrom(limited, call.start + 1, ({ end }) => end) - 1];
  return before !== undefined && before.seq < call.seq && call.start < before.end + pauseOf(before);
}

function pauseOf({ entry, end }: Sent): number {
  const value = entry.response?.headers.find(([name]) => name === 'retry-after')?.[1].trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? UNNAMED : Math.max(0, at - end);
}
