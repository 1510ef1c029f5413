import type { Check, Outcome } from '../../model/report.ts';
import { plain } from '../../plain.ts';
import { areaOf, byReason, firstIds } from '../reasons.ts';
import { count, wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';

const MOST_NAMED = 5;

/** Checks that failed, could not be judged, or were not run, folded by their reason; passed ones are counted only. */
export function checkLines(checks: readonly Check[], paint: Paint, width: number): string[] {
  const of = (outcome: Outcome): Check[] => checks.filter((check) => check.outcome === outcome);
  const lines: string[] = [];
  const inconclusive = of('inconclusive');
  if (inconclusive.length > 0) {
    lines.push(paint.severity('warning', `${count(inconclusive.length, 'check')} could not be judged:`));
    lines.push(...reasons(inconclusive, paint, width));
  }
  const failed = of('failed');
  if (failed.length > 0) {
    lines.push(paint.severity('error', `${count(failed.length, 'check')} failed:`));
    lines.push(...wrap(firstOf(failed), width - 2).map((line) => `  ${line}`));
  }
  const noted = of('passed').filter((check) => check.reason !== '');
  if (noted.length > 0) {
    lines.push(`${count(noted.length, 'check')} passed with a note:`);
    lines.push(...reasons(noted, paint, width));
  }
  const skipped = of('skipped');
  if (skipped.length > 0) {
    lines.push(`${count(skipped.length, 'check was', 'checks were')} skipped:`);
    for (const { reason, checks: own } of byReason(skipped)) {
      const head = `${own.length} × ${reason === '' ? 'no reason given' : reason}`;
      // those not located have a list of their own
      lines.push(...entry(head, reason.startsWith('not located') ? '' : areas(own), paint, width));
    }
  }
  return lines.length === 0 ? lines : [...lines, ''];
}

/** A check with its reason; several that share one, as a list under it. */
function reasons(checks: readonly Check[], paint: Paint, width: number): string[] {
  return byReason(checks).flatMap(({ reason, checks: own }) =>
    own.length === 1
      ? entry(own[0]?.id ?? '', reason, paint, width)
      : entry(`${own.length} × ${reason}`, firstOf(own), paint, width),
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

function entry(head: string, text: string, paint: Paint, width: number): string[] {
  const lines = wrap(plain(head), width - 2).map((line) => `  ${line}`);
  return text === '' ? lines : [...lines, ...wrap(plain(text), width - 6).map((line) => `      ${paint.dim(line)}`)];
}
