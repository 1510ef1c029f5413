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
        sameShape: sameShape(contract, judged, operation),
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

function sameShape(contract: Contract, judged: Judged, operation: Operation): boolean | null {
  const differences = formDifferences(contract, judged.samples, operation);
  return differences === null ? null : differences.length === 0;
}

/**
 * Deprecated forms with what this run and earlier ones, oldest first, know of each: since when it is withdrawn, when it
 * was last alive, and what it announced last. Runs that could not tell whether it lives change no date.
 */
export function datedWatches(
  watches: readonly DeprecationWatch[],
  startedAt: string,
  earlier: readonly Report[] = [],
): DeprecationWatch[] {
  return watches.map((watch) => {
    const past = earlier.flatMap((report) =>
      report.deprecations
        .filter(({ operationId }) => operationId === watch.operationId)
        .map((each): DatedWatch => ({ ...each, startedAt: report.startedAt })),
    );
    return {
      ...watch,
      ...lifeOf([...past, { ...watch, startedAt }]),
      ...(watch.alive === true ? {} : lastWords(watch, past)),
    };
  });
}

type DatedWatch = DeprecationWatch & Pick<Report, 'startedAt'>;

function lifeOf(seen: readonly DatedWatch[]): Pick<DeprecationWatch, 'withdrawnSince' | 'lastAlive'> {
  let withdrawnSince: string | undefined;
  let lastAlive: string | undefined;
  for (const each of seen) {
    if (each.alive === true) {
      withdrawnSince = undefined;
      lastAlive = each.startedAt;
      continue;
    }
    if (each.lastAlive !== undefined && (lastAlive === undefined || each.lastAlive > lastAlive))
      lastAlive = each.lastAlive;
    withdrawnSince ??= each.withdrawnSince ?? (each.alive === false ? each.startedAt : undefined);
  }
  return {
    ...(withdrawnSince === undefined ? {} : { withdrawnSince }),
    ...(lastAlive === undefined ? {} : { lastAlive }),
  };
}

/** The last announcement of an earlier run, if this one saw none. */
function lastWords(
  { deprecation, sunset }: DeprecationWatch,
  past: readonly DatedWatch[],
): Pick<DeprecationWatch, 'lastDeprecation' | 'lastSunset'> {
  const newest = past.toReversed();
  const lastDeprecation = newest.map((each) => each.deprecation ?? each.lastDeprecation).find((value) => value != null);
  const lastSunset = newest.map((each) => each.sunset ?? each.lastSunset).find((value) => value != null);
  return {
    ...(deprecation !== null || lastDeprecation == null ? {} : { lastDeprecation }),
    ...(sunset !== null || lastSunset == null ? {} : { lastSunset }),
  };
}
