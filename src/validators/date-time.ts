/** The format `date-time` of JSON Schema (RFC 3339, 5.6). A space may replace `T`. */
const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[tT ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const OFFSET = /([+-])(\d\d):(\d\d)$/;

export function isDateTime(text: string): boolean {
  if (!DATE_TIME.test(text)) return false;
  const number = (start: number, end: number): number => Number(text.slice(start, end));
  // the calendar repeats every 400 years, and `Date.UTC` reads years below 100 otherwise
  const [year, month, day] = [number(0, 4) + 400, number(5, 7), number(8, 10)];
  if (day > 28 && Date.UTC(year, month - 1, day) >= Date.UTC(year, month)) return false;
  if (text[17] !== '6') return true;
  // a leap second is at 23:59:60 UTC
  const [, sign = '+', hours = 0, minutes = 0] = OFFSET.exec(text) ?? [];
  const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  return (number(11, 13) * 60 + number(14, 16) - offset + 1440) % 1440 === 1439;
}

const BASIC = /^(\d{4})(\d\d)(\d\d)[tT](\d\d)(\d\d)(\d\d)?(?!:)(.*?)(?:([+-]\d\d)(\d\d)?)?$/s;
const WITHOUT_SECONDS = /^(\d{4}-\d\d-\d\d[tT]\d\d:\d\d)(?=[zZ+-])/;

/**
 * An ISO 8601 date-time with an offset. Also accepts the basic form (`20260228T100000Z`), no seconds, a comma, or UTC as
 * `+0000` or `+00`.
 */
export function isIsoDateTime(given: string): boolean {
  const text = given.replace(/[+-]00(?:00)?$/, 'Z');
  if (text[4] === '-' && text[16] === ':') return isDateTime(text.replace(',', '.'));
  const extended = text
    .replace(BASIC, (_, year, month, day, hour, minute, second = '00', rest, hours, minutes = '00') => {
      return `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}${hours === undefined ? '' : `${hours}:${minutes}`}`;
    })
    .replace(WITHOUT_SECONDS, '$1:00')
    .replace(',', '.');
  return isDateTime(extended);
}

/** RFC 3339, appendix A: no unit between two others is left out. */
const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)(?<!P)$/;

export function isDuration(text: string): boolean {
  return DURATION.test(text);
}
