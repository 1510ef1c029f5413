export type Announcement =
  /** Milliseconds since the epoch. `asWritten` if the date has the form that its RFC requires. */
  | { readonly kind: 'date'; readonly at: number; readonly asWritten: boolean }
  | { readonly kind: 'undated' }
  | { readonly kind: 'none' };

const NO = /^(?:false|\?0|0|no)$/i;
/** The only form of an HTTP date that senders still write (RFC 9110, 5.6.7). */
const HTTP_DATE = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g;
const EPOCH = /^@?(-?\d{9,13})(?:\.\d+)?$/;
/** From here on, a number counts milliseconds: in seconds it would be the year 5138. */
const MILLISECONDS = 1e11;

/**
 * Reads `Deprecation` (RFC 9745: `@` and seconds) or `Sunset` (RFC 8594: an HTTP date) leniently. Accepts either form
 * for both, without `@`, in milliseconds, as ISO 8601, in quotes and with parameters. Returns the earliest of several
 * dates. An earlier draft of RFC 9745 sent `true`.
 */
export function readAnnouncement(field: 'deprecation' | 'sunset', value: string): Announcement {
  const text = value.trim().slice(0, 1000);
  if (NO.test(text)) return { kind: 'none' };
  // An HTTP date contains a comma, and so does a list.
  const dates = (text.match(HTTP_DATE) ?? []).map((date) => Date.parse(date));
  const others = text.replace(HTTP_DATE, '').split(/[,;]/).map(dateIn);
  const [at] = [...dates, ...others].filter((time) => !Number.isNaN(time)).sort((a, b) => a - b);
  if (at === undefined) return { kind: 'undated' };
  const form = field === 'deprecation' ? /^@-?\d{1,15}(?:;|$)/ : new RegExp(`^${HTTP_DATE.source}$`);
  return { kind: 'date', at, asWritten: form.test(text) };
}

/** A member of a list, or a parameter like `date="2026-11-30"`. */
function dateIn(member: string): number {
  const text = member
    .trim()
    .replace(/^[a-z-]+=/i, '')
    .replace(/^"(.*)"$/, '$1');
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return Math.abs(Number(epoch)) >= MILLISECONDS ? Number(epoch) : Number(epoch) * 1000;
  return /^\d{4}-\d{2}-\d{2}|^[a-z]{3,9},? \d|^\d{1,2}[ -][a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
}

export function dayOf(at: number): string | null {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}
