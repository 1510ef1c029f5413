import type { Audited, Recording } from '../audit/judge-caller.ts';
import { GIVEN_UP } from '../audit/times.ts';
import type { JournalEntry } from '../journal/write.ts';

/** A journal as it stands, and what the clock that wrote it says. */
export interface Reading extends Pick<Recording, 'callers'> {
  readonly entries: readonly JournalEntry[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface SettleOptions {
  readonly read: () => Promise<Reading>;
  readonly judge: (recording: Recording) => Audited;
  /** Resolves after so many milliseconds, or early when the signal aborts. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  readonly signal: AbortSignal;
  /** Told once, with the milliseconds that it may take at most. */
  readonly onWait?: (ms: number) => void;
}

/** How often a journal is read again while something in it is open. Milliseconds. */
const AGAIN = 1_000;

/**
 * Judges a journal that may still be written. Where a retry may be under way, it is read again until the retry is there or would have
 * been, at most for {@link GIVEN_UP}; what is open even then is held against nobody.
 *
 * The clock of the journal counts (the mock's may stand or be moved), and so does the time for which nothing was added.
 */
export async function judgeSettled(options: SettleOptions): Promise<Audited> {
  const { read, judge, sleep, monotonic, signal } = options;
  const began = monotonic();
  let known = -1;
  let since = began;
  for (let told = false; ; told = true) {
    const { now, ...recording } = await read();
    const { entries } = recording;
    if (entries.length !== known) {
      known = entries.length;
      since = monotonic();
    }
    const last = entries.reduce((latest, { endedAt }) => Math.max(latest, Date.parse(endedAt)), 0);
    const readAt = Math.max(now, last + (monotonic() - since));
    const audited = judge({ ...recording, readAt });
    const left = GIVEN_UP + AGAIN - (monotonic() - began);
    if (audited.openUntil === null || left <= 0 || signal.aborted) return audited;
    const wait = Math.min(audited.openUntil - readAt + 1, left);
    if (!told) options.onWait?.(wait);
    await sleep(Math.min(wait, AGAIN));
  }
}
