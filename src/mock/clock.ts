import { ToolError } from '../errors.ts';

/** The mock's own time: tokens and dates go by it. It runs on from wherever it is put; waits (latency, time limits) stay real. */
export interface MockClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves by so many seconds, back where negative. Throws ToolError `usage` for what is no number. */
  advance(seconds: number): void;
  /** Puts it to a date, an ISO 8601 date-time, or milliseconds since the epoch. Throws ToolError `usage` for what is none. */
  set(date: Date | string | number): void;
  /** Back to the clock that it was started with. */
  reset(): void;
  readonly moved: boolean;
}

/** The last millisecond of the year 9999: what is beyond cannot be written as a date-time of four-digit years. */
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
  };
}

/** Without an offset a date-time is UTC: a test must not depend on where it runs. */
function timeOf(date: Date | string): number {
  if (date instanceof Date) return date.getTime();
  const match = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(date);
  if (!match) return Number.NaN;
  return new Date(match[1] !== undefined && match[2] === undefined ? `${date}Z` : date).getTime();
}
