import type { DeprecationWatch, Report } from '../model/report.ts';

/**
 * Deprecated forms with what this run and earlier ones, oldest first, tell of each: since when it is withdrawn, when it was last
 * alive, and what it announced before it fell silent. Runs that could not tell whether it lives change no date; what an earlier
 * report carries on from still older ones counts.
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
        .map((each): Seen => ({ ...each, startedAt: report.startedAt })),
    );
    return {
      ...watch,
      ...lifeOf([...past, { ...watch, startedAt }]),
      ...(watch.alive === true ? {} : lastWords(watch, past)),
    };
  });
}

/** A watch with the start of its run. */
type Seen = DeprecationWatch & Pick<Report, 'startedAt'>;

function lifeOf(seen: readonly Seen[]): Pick<DeprecationWatch, 'withdrawnSince' | 'lastAlive'> {
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

/** What the latest earlier run that was told a date was told, where this one was told none. */
function lastWords(
  { deprecation, sunset }: DeprecationWatch,
  past: readonly Seen[],
): Pick<DeprecationWatch, 'lastDeprecation' | 'lastSunset'> {
  const newest = past.toReversed();
  const lastDeprecation = newest.map((each) => each.deprecation ?? each.lastDeprecation).find((value) => value != null);
  const lastSunset = newest.map((each) => each.sunset ?? each.lastSunset).find((value) => value != null);
  return {
    ...(deprecation !== null || lastDeprecation == null ? {} : { lastDeprecation }),
    ...(sunset !== null || lastSunset == null ? {} : { lastSunset }),
  };
}
