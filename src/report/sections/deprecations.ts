import type { DeprecationWatch, Report } from '../../model/report.ts';
import { count } from '../../text/words.ts';
import { type Inline, list, type Section } from '../blocks.ts';

/** A Sunset within so many days stands out, as for the rule `sunset-near`. */
const NEAR_DAYS = 30;
const DAY = 86_400_000;

export function deprecationsSection({ deprecations, startedAt }: Report): Section {
  const items = deprecations.map((watch) => watchLine(watch, startedAt));
  return { id: 'deprecations', title: 'Deprecated forms', number: items.length, blocks: list(items) };
}

function watchLine(watch: DeprecationWatch, startedAt: string): Inline[] {
  const { operationId, successor, alive, sunset, lastSunset, deprecation, lastDeprecation } = watch;
  const facts: Inline[] = [
    { chip: STATES[`${alive}`], tone: alive === null ? 'plain' : alive ? 'good' : 'error' },
    `${lifeOf(watch, startedAt)}, ${shapeOf(watch.sameShape)}`,
    `, Deprecation ${announced(watch, deprecation, lastDeprecation, dated)}`,
    `, Sunset ${announced(watch, sunset, lastSunset, dayOf)}`,
    ...nearness(sunset ?? lastSunset ?? '', Date.parse(startedAt)),
  ];
  return [{ code: operationId }, ' → ', { code: successor }, ': ', ...facts];
}

const STATES = { true: 'alive', false: 'withdrawn', null: 'unknown whether alive' } as const;

function lifeOf({ alive, withdrawnSince, lastAlive }: DeprecationWatch, startedAt: string): string {
  if (alive === true) return '';
  const day = withdrawnSince?.slice(0, 10);
  const first = withdrawnSince === startedAt ? ' (first seen in this run)' : '';
  const since = day === undefined ? '' : alive === false ? ` since ${day}${first}` : `, seen withdrawn since ${day}`;
  return `${since}${lastAlive === undefined ? '' : `, last alive ${lastAlive.slice(0, 10)}`}`;
}

function shapeOf(sameShape: boolean | null): string {
  if (sameShape === null) return 'shape not compared';
  return sameShape ? 'same shape' : 'another shape';
}

function announced(
  { alive }: DeprecationWatch,
  now: string | null,
  last: string | undefined,
  words: (value: string) => string,
): string {
  if (now !== null) return words(now);
  if (last !== undefined) return `${words(last)} (last announcement)`;
  return alive === null ? 'unknown' : 'not sent';
}

/** A Structured Field Date (RFC 9745), `@` and seconds since the epoch, as a day; other texts as they are. */
function dated(value: string): string {
  const [, seconds] = /^@(-?\d{1,11})$/.exec(value.trim()) ?? [];
  return seconds === undefined ? value : new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
}

/** An HTTP date (RFC 8594) as a day; other texts as they are. */
function dayOf(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? value : new Date(time).toISOString().slice(0, 10);
}

/** Empty if one of the two is no date. */
function nearness(sunset: string, now: number): Inline[] {
  const end = Date.parse(sunset);
  if (Number.isNaN(end) || Number.isNaN(now)) return [];
  if (end < now) return [' ', { chip: 'over', tone: 'error' }];
  // days of the calendar: late on the 1st, the 11th is 10 days away
  const days = Math.floor(end / DAY) - Math.floor(now / DAY);
  const words = days === 0 ? 'ends today' : `${count(days, 'day')} left`;
  return [' ', { chip: words, tone: days <= NEAR_DAYS ? 'warning' : 'plain' }];
}
