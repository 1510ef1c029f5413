/** The last run of each day in UTC, oldest first. A pipeline may repeat a run in one night. */
export function lastRunOfEachDay<Run extends { readonly startedAt: string }>(runs: readonly Run[]): Run[] {
  return [...new Map(runs.map((run) => [run.startedAt.slice(0, 10), run])).values()];
}
