import { header } from '../../model/exchange.ts';
import { type Announcement, dayOf, readAnnouncement } from '../announcements.ts';
import { type AnswerRule, nameOf, ofSample, type RunRule, type Sample } from '../rule.ts';

const NEAR = 30 * 24 * 60 * 60 * 1000;
const FIELDS = ['deprecation', 'sunset'] as const;
type Field = (typeof FIELDS)[number];
const TITLES: Readonly<Record<Field, string>> = { deprecation: 'Deprecation', sunset: 'Sunset' };

function announced({ exchange }: Sample): Map<Field, Announcement> {
  const found = new Map<Field, Announcement>();
  for (const field of FIELDS) {
    const value = header(exchange.response?.headers ?? [], field);
    const announcement = value === undefined || value.trim() === '' ? null : readAnnouncement(field, value);
    if (announcement !== null && announcement.kind !== 'none') found.set(field, announcement);
  }
  return found;
}

/** True if a `Sunset` has passed or is near, measured from the end of the exchange. */
function isNear(sunset: Announcement | undefined, { exchange }: Sample): boolean {
  return sunset?.kind === 'date' && sunset.at - exchange.endedAt <= NEAR;
}

export const deprecationAnnounced: RunRule = {
  id: 'deprecation-announced',
  title: 'A current operation announces its end',
  severity: { documented: 'warning', observed: 'warning', assumed: 'info' },
  reference: 'RFC 9745, 2; RFC 8594, 3',
  judges: ['live'],
  message: ({ actual }, operation) =>
    `${nameOf(operation)} is current in the contract and announces its end: ${actual}. Ask the provider what takes its place.`,
  of: 'run',
  *judge({ samples }) {
    const byOperation = Map.groupBy(
      samples.filter(({ operation }) => !operation.deprecated),
      ({ operation }) => operation,
    );
    for (const own of byOperation.values()) {
      const announcing = own.filter((sample) => announced(sample).size > 0);
      const last = announcing.at(-1);
      if (last === undefined) continue;
      // the last value of each field
      const seen = new Map(announcing.flatMap((sample) => [...announced(sample)]));
      const names = FIELDS.filter((field) => seen.has(field)).map((field) => TITLES[field]);
      const near = isNear(seen.get('sunset'), last) ? ' that is near' : '';
      yield {
        ...ofSample(last),
        expected: 'no announcement',
        actual: FIELDS.flatMap((field) => textOf(field, seen.get(field))).join(', '),
        exchanges: announcing.map(({ exchange }) => exchange.seq),
        times: announcing.length,
        // A moved date is the same finding. A date that comes near is a new one.
        identity: { expected: 'no announcement', actual: `${names.join(' and ')}${near}` },
      };
    }
  },
};

function textOf(field: Field, announcement: Announcement | undefined): string[] {
  if (announcement === undefined) return [];
  const day = announcement.kind === 'date' ? dayOf(announcement.at) : null;
  if (day === null) return [`${TITLES[field]} without a date that can be read`];
  return [field === 'deprecation' ? `deprecated from ${day} on` : `Sunset on ${day}`];
}

/** A `Sunset` (RFC 8594) of a deprecated form. `deprecation-announced` covers current operations. */
export const sunsetNear: AnswerRule = {
  id: 'sunset-near',
  title: 'An operation announces that it ends soon',
  severity: { documented: 'warning', observed: 'warning', assumed: 'info' },
  reference: 'RFC 8594, 3',
  judges: ['live'],
  message: ({ actual }, operation) =>
    `${nameOf(operation)} sends ${actual}.${operation?.successor == null ? '' : ` Use ${operation.successor}.`}`,
  of: 'answer',
  *judge(sample) {
    const sunset = announced(sample).get('sunset');
    if (!sample.operation.deprecated || sunset?.kind !== 'date' || !isNear(sunset, sample)) return;
    const kind = sunset.at < sample.exchange.endedAt ? 'a Sunset that is over' : 'a Sunset within 30 days';
    const expected = 'no Sunset within 30 days';
    const actual = `${kind} (${dayOf(sunset.at)})`;
    yield { ...ofSample(sample), expected, actual, identity: { expected, actual: kind } };
  },
};

export const announcementMalformed: AnswerRule = {
  id: 'announcement-malformed',
  title: 'A deprecation header does not follow its RFC',
  severity: 'info',
  reference: 'RFC 9745, 2.1; RFC 8594, 3',
  judges: ['live'],
  message: ({ expected, actual }, operation) => `${nameOf(operation)} sends ${actual}; it should be ${expected}.`,
  of: 'answer',
  *judge(sample) {
    if (!sample.operation.deprecated) return;
    for (const [field, announcement] of announced(sample)) {
      if (announcement.kind === 'date' && announcement.asWritten) continue;
      const expected = field === 'deprecation' ? '@ and seconds since the epoch' : 'an HTTP date';
      const what = announcement.kind === 'date' ? 'a date in another form' : 'no date';
      yield { ...ofSample(sample), expected, actual: `${TITLES[field]} with ${what}` };
    }
  },
};
