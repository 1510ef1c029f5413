/**
 * The format `date-time` of JSON Schema (RFC 3339, 5.6), as the full check of ajv-formats decides it: white space may stand for the `T`,
 * and an offset may have hours alone. Unlike ajv-formats, it refuses hours above 23 and minutes above 59 in leap seconds.
 */
const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[tT\s]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[zZ]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;

export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  // day 0 of a month is the last one of the month before
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  if (day > date.getUTCDate()) return false;
  // a leap second is at 23:59:60 UTC
  const offset = Number(`${parts[7] ?? '+'}1`) * (Number(parts[8] ?? 0) * 60 + Number(parts[9] ?? 0));
  return second < 60 || (hour * 60 + minute - offset + 1440) % 1440 === 1439;
}

const BASIC = /^(\d{4})(\d\d)(\d\d)[tT](\d\d)(\d\d)(\d\d)?(?!:)/;
const WITHOUT_SECONDS = /^(\d{4}-\d\d-\d\d[tT]\d\d:\d\d)(?=[zZ+-])/;

/** A date-time of ISO 8601 with an offset: also in the basic form, such as `20260228T100000Z`, without seconds, or with a comma. */
export function isIsoDateTime(text: string): boolean {
  const extended = text
    .replace(
      BASIC,
      (_, year, month, day, hour, minute, second = '00') => `${year}-${month}-${day}T${hour}:${minute}:${second}`,
    )
    .replace(WITHOUT_SECONDS, '$1:00')
    .replace(',', '.');
  return isDateTime(extended);
}
