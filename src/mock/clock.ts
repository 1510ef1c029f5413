import { ToolError } from '../errors.ts';

/** The mock's time for tokens and dates. It runs on after a change. Latency and time limits use real time. */
export interface MockClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves the time by seconds; negative moves it back. Throws ToolError `usage` for an invalid number. */
  advance(seconds: number): void;
  /** Sets a date, an ISO 8601 date-time, or milliseconds since the epoch. Throws ToolError `usage` if invalid. */
  set(date: Date | string | number): void;
  /** Returns to the clock of the start. */
  reset(): void;
  readonly moved: boolean;
  /** Milliseconds ahead of the clock of the start; negative if it was moved back. */
  readonly ahead: number;
}

/** The last millisecond of the year 9999. Later times do not fit a date-time with a four-digit year. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export function createClock(base: () => number): MockClock {
  let offset = 0;
  const moveTo = (time: number): void => {
    if (!(time >= 0 && time <= LATEST)) {
      throw new ToolError('usage', 'The clock takes a date of the years 1970 to 9999, or a number of seconds.');
    }
    offset = time - base();
  };
  return {
    now: () => base() + offset,
    advance: (seconds) => moveTo(base() + offset + seconds * 1000),
    set: (date) => moveTo(typeof date === 'number' ? date : timeOf(date)),
    reset() {
      offset = 0;
    },
    get moved() {
      return offset !== 0;
    },
    get ahead() {
      return offset;
    },
  };
}

/** A date-time without an offset is UTC, so that tests do not depend on the machine's time zone. */
function timeOf(date: Date | string): number {
  if (date instanceof Date) return date.getTime();
  const match = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(date);
  // V8 reads 30 February as 2 March
  const isDay = new Date(date.slice(0, 10)).getUTCDate() === Number(date.slice(8, 10));
  if (!match || !isDay) return Number.NaN;
  return new Date(match[1] !== undefined && match[2] === undefined ? `${date}Z` : date).getTime();
}
