import type { JsonObject } from '../schema/json.ts';

const raw = String.raw;
const MONTHS = { all: '(?:0[1-9]|1[0-2])', of30: '(?:0[13-9]|1[0-2])', of31: '(?:0[13578]|1[02])' };
const LEAP_YEAR = raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const [HOUR, MINUTE, FRACTION] = [raw`(?:[01]\d|2[0-3])`, raw`[0-5]\d`, raw`(?:[.,]\d+)?`];
const UTC = '(?:[zZ]|[+-]00(?::?00)?)';

/** A day that exists. */
function date(dash: string): string {
  const { all, of30, of31 } = MONTHS;
  const days = raw`${all}${dash}(?:0[1-9]|1\d|2[0-8])|${of30}${dash}(?:29|30)|${of31}${dash}31`;
  return raw`(?:\d{4}${dash}(?:${days})|${LEAP_YEAR}${dash}02${dash}29)`;
}

/** The end of a date-time after its date: a leap second is at 23:59:60 UTC. */
function time(mark: string, seconds: string, offset: string): string {
  return raw`(?:${HOUR}${mark}${MINUTE}${seconds}(?:${UTC}|${offset})|23${mark}59${mark}60${FRACTION}${UTC})`;
}

const OFFSET = raw`[+-]${HOUR}:${MINUTE}`;
const SECONDS = `${MINUTE}${FRACTION}`;
const EXTENDED = `${date('-')}(?:[tT ]${time(':', `:${SECONDS}`, OFFSET)}|[tT]${HOUR}:${MINUTE}(?:${UTC}|${OFFSET}))`;
const BASIC = `${date('')}[tT]${time('', `(?:${MINUTE})?${FRACTION}`, `[+-]${HOUR}(?::?${MINUTE})?`)}`;

/**
 * What our validators accept as a `date-time` (`isIsoDateTime`), for validators that know only RFC 3339. No pattern can
 * decide a leap second with an offset, so their format does.
 */
export const DATE_TIME: JsonObject = {
  anyOf: [
    { pattern: `^(?:${EXTENDED}|${BASIC})$` },
    { format: 'date-time', pattern: raw`^.{10}[tT ].{5}:60(?:\.\d+)?${OFFSET}$` },
  ],
};
