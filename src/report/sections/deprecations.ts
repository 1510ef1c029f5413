import { dayOf, readAnnouncement } from '../../judge/announcements.ts';
import type { DeprecationWatch, Report } from '../../model/report.ts';
import { count } from '../../text/words.ts';
import { type Inline, list, type Section } from '../blocks.ts';
import { allOf } from '../since.ts';

/** Days before a Sunset from which it is highlighted, as for the rule `sunset-near`. */
const NEAR_DAYS = 30;
const DAY = 86_400_000;

export function deprecationsSection(report: Report): Section {
  const items = report.deprecations.map((watch) => watchLine(watch, report));
  return { id: 'deprecations', title: 'Deprecated forms', number: items.length, blocks: list(items) };
}

function watchLine(watch: DeprecationWatch, report: Report): Inline[] {
  const { operationId, successor, alive, sunset, deprecation } = watch;
  const withdrawn = allOf(report).find(
    ({ rule, engineRule = rule, ...one }) => engineRule === 'operation-withdrawn' && one.operationId === operationId,
  );
  const since = withdrawn?.firstSeen === undefined ? '' : ` since ${withdrawn.firstSeen.slice(0, 10)}`;
  const unsent = alive === null ? 'unknown' : 'not sent';
  return [
    ...[{ code: operationId }, ' → ', { code: successor }, ': '],
    { chip: STATES[`${alive}`], tone: alive === null ? 'plain' : alive ? 'good' : 'error' },
    `${since}, ${shapeOf(watch.sameShape)}`,
    `, Deprecation ${deprecation === null ? unsent : dayIn('deprecation', deprecation)}`,
    `, Sunset ${sunset === null ? unsent : dayIn('sunset', sunset)}`,
    ...nearness(sunset ?? '', Date.parse(report.startedAt)),
  ];
}

const STATES = { true: 'alive', false: 'withdrawn', null: 'unknown whether alive' } as const;

function shapeOf(sameShape: boolean | null): string {
  if (sameShape === null) return 'shape not compared';
  return sameShape ? 'same shape' : 'another shape';
}

/** The day in a header field, or the unchanged field if it cannot be parsed. */
function dayIn(field: 'deprecation' | 'sunset', value: string): string {
  const read = readAnnouncement(field, value);
  return (read.kind === 'date' && dayOf(read.at)) || value;
}

function nearness(sunset: string, now: number): Inline[] {
  const read = readAnnouncement('sunset', sunset);
  if (read.kind !== 'date' || Number.isNaN(now)) return [];
  if (read.at < now) return [' ', { chip: 'over', tone: 'error' }];
  // calendar days: late on the 1st, the 11th is 10 days away
  const days = Math.floor(read.at / DAY) - Math.floor(now / DAY);
  const words = days === 0 ? 'ends today' : `${count(days, 'day')} left`;
  return [' ', { chip: words, tone: days <= NEAR_DAYS ? 'warning' : 'plain' }];
}
