import type { Check } from '../../model/report.ts';
import { plain } from '../../plain.ts';
import { areaOf, byReason, firstIds } from '../words/reasons.ts';
import { count, wrap } from '../wrap.ts';
import type { Page } from './page.ts';

const MOST_NAMED = 5;

/** A note of what stands under "Worth knowing" as well. */
const ONLY_INFOS = /^info: [^,:]+(?:, info: [^,:]+)*$/;

/** Checks that failed, could not be judged, or were not run, folded by their reason; passed ones are counted only. */
export function checkLines(checks: readonly Check[], page: Page): string[] {
  const { passed = [], failed = [], inconclusive = [], skipped = [] } = Object.groupBy(checks, (each) => each.outcome);
  const noted = passed.filter(({ reason }) => reason !== '' && !ONLY_INFOS.test(reason));
  const sections: [title: string, of: readonly Check[], lines: string[]][] = [
    [
      page.severity('warning', `${count(inconclusive.length, 'check')} could not be judged:`),
      inconclusive,
      reasonLines(inconclusive, page),
    ],
    [
      page.severity('error', `${count(failed.length, 'check')} failed:`),
      failed,
      wrap(firstOf(failed), page.width - 2).map((line) => `  ${line}`),
    ],
    [`${count(noted.length, 'check')} passed with a note:`, noted, reasonLines(noted, page)],
    [`${count(skipped.length, 'check was', 'checks were')} skipped:`, skipped, skippedLines(skipped, page)],
  ];
  const lines = sections.flatMap(([title, of, own]) => (of.length === 0 ? [] : [title, ...own]));
  return lines.length === 0 ? lines : [...lines, ''];
}

function skippedLines(skipped: readonly Check[], page: Page): string[] {
  return byReason(skipped).flatMap(({ reason, checks }) => {
    // those not located have a list of their own
    const isListed = checks.every(({ why }) => why?.kind === 'not-located' || why?.kind === 'only-assumed');
    return entry(`${checks.length} × ${reason}`, isListed ? '' : areas(checks), page);
  });
}

/** A check with its reason; several that share one, as a list under it. */
function reasonLines(checks: readonly Check[], page: Page): string[] {
  return byReason(checks).flatMap(({ reason, checks: own }) =>
    own.length === 1 ? entry(own[0]?.id ?? '', reason, page) : entry(`${own.length} × ${reason}`, firstOf(own), page),
  );
}

function firstOf(checks: readonly Check[]): string {
  return plain(firstIds(checks, MOST_NAMED, ' (json report)'));
}

/** The ids of a few, else how many there are of each area, which is what an id begins with. */
function areas(checks: readonly Check[]): string {
  if (checks.length <= 2) return firstOf(checks);
  return [...Map.groupBy(checks, ({ id }) => plain(areaOf(id)))]
    .map(([area, own]) => `${own.length} ${area}`)
    .join(', ');
}

function entry(title: string, text: string, { width, dim }: Page): string[] {
  const lines = wrap(plain(title), width - 2).map((line) => `  ${line}`);
  return text === '' ? lines : [...lines, ...wrap(plain(text), width - 6).map((line) => `      ${dim(line)}`)];
}
