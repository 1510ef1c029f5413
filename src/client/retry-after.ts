const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Seconds of a `Retry-After` field (RFC 9110, section 10.2.3): a number of seconds or an HTTP date.
 * Undefined where there is none or it is neither; never negative.
 *
 * @param now wall clock, milliseconds since the epoch
 */
export function retryAfterSeconds(field: string | null, now: number): number | undefined {
  const value = field?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value);
  if (!HTTP_DATE.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
