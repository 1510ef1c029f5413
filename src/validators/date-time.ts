/**
 * The format `date-time` of JSON Schema (RFC 3339, 5.6), like the full check of ajv-formats. White space may replace
 * `T`, and an offset may be hours only. Unlike ajv-formats, it rejects hours above 23 in leap seconds, and minutes
 * above 59.
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

/** An ISO 8601 date-time with an offset. Also accepts the basic form (`20260228T100000Z`), no seconds, or a comma. */
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
