import type { Contract, Operation } from '../contract/contract.ts';
import type { Judged } from '../judge/judge.ts';
import { formDifferences } from '../judge/rules/deprecations.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import { header } from '../model/exchange.ts';
import type { DeprecationWatch, Report } from '../model/report.ts';

export function deprecationsOf(
  contract: Contract,
  judged: Judged,
  redact: (text: string) => string,
): DeprecationWatch[] {
  return contract.operations.flatMap((operation): DeprecationWatch[] => {
    const { operationId, successor } = operation;
    if (successor === null) return [];
    const calls = [...judged.judgements].filter(([call]) => call.operationId === operationId);
    const last: Call | undefined = calls.at(-1)?.[0];
    const fields = (last === undefined ? undefined : finalAttempt(last)?.response?.headers) ?? [];
    const announced = (name: string): string | null => {
      const value = header(fields, name);
      return value === undefined ? null : redact(value);
    };
    return [
      {
        operationId,
        successor,
        alive: aliveness(calls.map(([, judgement]) => judgement.kind)),
        sameShape: sameShape(judged, operation),
        deprecation: announced('deprecation'),
        sunset: announced('sunset'),
      },
    ];
  });
}

function aliveness(kinds: readonly string[]): boolean | null {
  if (kinds.includes('good')) return true;
  return kinds.includes('withdrawn') ? false : null;
}

function sameShape(judged: Judged, operation: Operation): boolean | null {
  const differences = formDifferences(judged.samples, operation);
  return differences === null ? null : differences.length === 0;
}

type WatchDates = Partial<Pick<DeprecationWatch, 'withdrawnSince' | 'lastAlive' | 'lastDeprecation' | 'lastSunset'>>;

/**
 * Dates deprecated forms by this run and earlier ones, oldest first. Runs that could not tell whether a form lives
 * change no date.
 */
export function datedWatches(
  watches: readonly DeprecationWatch[],
  startedAt: string,
  earlier: readonly Report[] = [],
): DeprecationWatch[] {
  return watches.map((watch) => {
    let dates: WatchDates = {};
    for (const report of earlier) {
      const past = report.deprecations.find(({ operationId }) => operationId === watch.operationId);
      if (past !== undefined) dates = datesAfter(dates, past, report.startedAt);
    }
    const { lastDeprecation, lastSunset, ...life } = datesAfter(dates, watch, startedAt);
    if (watch.alive === true) return { ...watch, ...life };
    const last = {
      ...(watch.deprecation === null && lastDeprecation != null && { lastDeprecation }),
      ...(watch.sunset === null && lastSunset != null && { lastSunset }),
    };
    return { ...watch, ...life, ...last };
  });
}

/** The dates after one more run. What its report carries on from older ones counts. */
function datesAfter(before: WatchDates, watch: DeprecationWatch, startedAt: string): WatchDates {
  const alive = [before.lastAlive ?? '', (watch.alive === true ? startedAt : watch.lastAlive) ?? ''];
  const lastAlive = alive.sort().at(-1);
  const known = before.withdrawnSince ?? watch.withdrawnSince ?? (watch.alive === false ? startedAt : undefined);
  const withdrawnSince = watch.alive === true ? undefined : known;
  const lastDeprecation = watch.deprecation ?? watch.lastDeprecation ?? before.lastDeprecation;
  const lastSunset = watch.sunset ?? watch.lastSunset ?? before.lastSunset;
  return {
    ...(withdrawnSince !== undefined && { withdrawnSince }),
    ...(lastAlive && { lastAlive }),
    ...(lastDeprecation !== undefined && { lastDeprecation }),
    ...(lastSunset !== undefined && { lastSunset }),
  };
}
