/** What counts as long, soon or at once when a caller is judged. Milliseconds unless said otherwise. */

/** Documented default lifetime of a token (API reference, Authentication 5). Seconds. */
export const DEFAULT_LIFETIME_S = 3600;
/** A lifetime between the two is taken for the default one: the sample of the reference shows 3599 left. Seconds. */
export const DEFAULT_LIFETIME_FROM_S = 3540;
export const DEFAULT_LIFETIME_TO_S = 3960;
/** The longest margin that the reference suggests (Authentication 6). */
export const LONGEST_MARGIN = 60_000;
/** The shortest margin that the reference suggests (Authentication 6). */
export const SHORTEST_MARGIN = 30_000;
/** Of a short life a margin takes this part at most. */
export const MARGIN_SHARE = 0.1;
/** A request that is repeated so soon after its retry was refused is a further retry, whoever in the program repeats it. */
export const AT_ONCE = 1_000;
/** Recorders note the end of an answer a little before or after its caller has it. */
export const RECORDER_SLACK = 50;
/** A retry comes within this time of the new token being there. */
export const RETRY_WINDOW = 5_000;
/** From here on a token that was refused cannot be that of a request that had been waiting for a connection. */
export const QUEUED = 5_000;
/** Attempts of one request from which a bounded retry is a loop. */
export const LOOP = 5;
/** Failed token requests within `HAMMER_WINDOW` from which the token endpoint is hammered. */
export const HAMMER = 10;
export const HAMMER_WINDOW = 10_000;

/** `10:00:01.250`, UTC. */
export function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}

/** `1.25 s`, `12 s`, `1 h 2 min`. */
export function span(ms: number): string {
  if (ms >= 3_600_000) return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
  if (ms >= 120_000) return `${Math.round(ms / 60_000)} min`;
  return `${Number((ms / 1000).toFixed(ms < 10_000 ? 2 : 0))} s`;
}
