import type { DeprecationWatch } from '../../model/report.ts';
import { count } from '../wrap.ts';

/** A fact in words, and how it is to be taken. */
export interface Fact {
  readonly text: string;
  readonly tone: 'good' | 'warning' | 'error' | 'plain';
}

/** What is known of a deprecated form, in words. */
export interface WatchWords {
  /** One or a few words; `since` says more. */
  readonly state: Fact;
  /** Since when, and when it was alive; empty where nothing is known. */
  readonly since: readonly string[];
  /** State and dates in one. */
  readonly life: string;
  readonly shape: Fact;
  readonly deprecation: string;
  readonly sunset: string;
  /** How near the Sunset is; null where none is known. */
  readonly nearness: Fact | null;
}

/** As the rule `sunset-near` takes it. */
const NEAR_DAYS = 30;
const DAY = 86_400_000;

/** The words for one deprecated form; `startedAt` is that of the run, by which a date is near. */
export function watchWords(watch: DeprecationWatch, startedAt: string): WatchWords {
  const { alive, sunset, lastSunset, deprecation, lastDeprecation } = watch;
  const state = stateOf(alive);
  const since = sinceOf(watch, startedAt);
  return {
    state,
    since,
    life: alive === false ? [state.text, since.join(', ')].join(' ').trim() : [state.text, ...since].join(', '),
    shape: shapeOf(watch.sameShape),
    deprecation: announced(watch, deprecation, lastDeprecation, dated),
    sunset: announced(watch, sunset, lastSunset, dayOf),
    nearness: nearnessOf(sunset ?? lastSunset ?? '', Date.parse(startedAt)),
  };
}

function stateOf(alive: boolean | null): Fact {
  if (alive === null) return { text: 'not known whether it lives', tone: 'plain' };
  return alive ? { text: 'alive', tone: 'good' } : { text: 'withdrawn', tone: 'error' };
}

function sinceOf({ alive, withdrawnSince, lastAlive }: DeprecationWatch, startedAt: string): string[] {
  const before = lastAlive === undefined ? [] : [`last alive ${lastAlive.slice(0, 10)}`];
  if (alive === true) return [];
  if (withdrawnSince === undefined) return before;
  const day = withdrawnSince.slice(0, 10);
  if (alive === null) return [`seen withdrawn since ${day}`, ...before];
  return [`since ${day}${withdrawnSince === startedAt ? ' (first seen in this run)' : ''}`, ...before];
}

function shapeOf(sameShape: boolean | null): Fact {
  if (sameShape === null) return { text: 'shape not compared', tone: 'plain' };
  return sameShape ? { text: 'same shape', tone: 'good' } : { text: 'another shape', tone: 'warning' };
}

function announced(
  { alive }: DeprecationWatch,
  now: string | null,
  last: string | undefined,
  words: (value: string) => string,
): string {
  if (now !== null) return words(now);
  if (last !== undefined) return `${words(last)}, as last announced`;
  return alive === null ? 'not known' : 'not sent';
}

/** A Structured Field Date (RFC 9745), `@` and seconds since the epoch, as a day; anything else as it is. */
function dated(value: string): string {
  const [, seconds] = /^@(-?\d{1,11})$/.exec(value.trim()) ?? [];
  return seconds === undefined ? value : new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
}

/** An HTTP date (RFC 8594) as a day; anything else as it is. */
function dayOf(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? value : new Date(time).toISOString().slice(0, 10);
}

function nearnessOf(sunset: string, now: number): Fact | null {
  const end = Date.parse(sunset);
  if (Number.isNaN(end) || Number.isNaN(now)) return null;
  if (end < now) return { text: 'over', tone: 'error' };
  // days of the calendar: late on the 1st, the 11th is 10 days away
  const days = Math.floor(end / DAY) - Math.floor(now / DAY);
  return {
    text: days === 0 ? 'ends today' : `${count(days, 'day')} left`,
    tone: days <= NEAR_DAYS ? 'warning' : 'plain',
  };
}
