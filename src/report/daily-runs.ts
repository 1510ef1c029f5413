/** The last of the runs of each day in UTC; the runs are oldest first. A pipeline may repeat a run within a night. */
export function lastRunOfEachDay<Run extends { readonly startedAt: string }>(runs: readonly Run[]): Run[] {
  return [...new Map(runs.map((run) => [run.startedAt.slice(0, 10), run])).values()];
}
