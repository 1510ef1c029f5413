/**
 * The format `date-time` of JSON Schema (RFC 3339, 5.6), as the full check of ajv-formats decides it, at a multiple of
 * its speed.
 *
 * White space may stand for the `T`, and an offset may have hours alone. Unlike ajv-formats, it refuses hours above 23
 * and minutes above 59 in leap seconds (`24:59:30+01:00`).
 */

const SPACE = /\s/;
const DAYS: readonly number[] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** NaN or a negative number if there are no two digits. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** A leap second must be at 23:59:60 UTC. */
export function isDateTime(text: string): boolean {
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const day = two(text, 8);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && text.charCodeAt(4) === 45 && text.charCodeAt(7) === 45)) {
    return false;
  }
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > (leap ? 29 : (DAYS[month] ?? 0))) return false;

  const separator = text.charCodeAt(10);
  if (separator !== 84 && separator !== 116 && !SPACE.test(text.charAt(10))) return false;

  const hour = two(text, 11);
  const minute = two(text, 14);
  const second = two(text, 17);
  if (!(hour <= 23 && minute <= 59 && second <= 60 && text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58)) {
    return false;
  }
  const offset = offsetOf(text, afterFraction(text));
  if (!(offset > -1440)) return false;
  return second < 60 || (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}

/** Index behind the fraction of the seconds; 19 if there is none, -1 if it has no digit. */
function afterFraction(text: string): number {
  if (text.charCodeAt(19) !== 46) return 19;
  let at = 20;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at)) at++;
  return at > 20 ? at : -1;
}

/** Minutes by which local time is ahead of UTC; NaN if there is no offset or more than one. */
function offsetOf(text: string, at: number): number {
  const sign = at < 0 ? 0 : text.charCodeAt(at);
  if (sign === 90 || sign === 122) return text.length === at + 1 ? 0 : Number.NaN;
  if (sign !== 43 && sign !== 45) return Number.NaN;
  const hours = two(text, at + 1);
  const minutesAt = text.charCodeAt(at + 3) === 58 ? at + 4 : at + 3;
  const minutes = text.length === at + 3 ? 0 : two(text, minutesAt);
  const end = text.length === at + 3 ? at + 3 : minutesAt + 2;
  if (!(hours <= 23 && minutes <= 59 && text.length === end)) return Number.NaN;
  return (sign === 45 ? -1 : 1) * (hours * 60 + minutes);
}
