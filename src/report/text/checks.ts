import { plain } from '../plain.ts';
import type { Check, Outcome } from '../report.ts';
import { count, wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';

const MOST_NAMED = 8;

/** Checks that failed, could not be judged, or were not run, the skipped ones folded by their reason; passed ones are counted only. */
export function checkLines(checks: readonly Check[], paint: Paint, width: number): string[] {
  const of = (outcome: Outcome): Check[] => checks.filter((check) => check.outcome === outcome);
  const lines: string[] = [];
  const inconclusive = of('inconclusive');
  if (inconclusive.length > 0) {
    lines.push(paint.severity('warning', `${count(inconclusive.length, 'check')} could not be judged:`));
    for (const check of inconclusive) lines.push(...entry(check.id, check.reason, paint, width));
  }
  const failed = of('failed');
  if (failed.length > 0) {
    lines.push(paint.severity('error', `${count(failed.length, 'check')} failed:`));
    for (const check of failed) lines.push(`  ${plain(check.id)}`);
  }
  const noted = of('passed').filter((check) => check.reason !== '');
  if (noted.length > 0) {
    lines.push(`${count(noted.length, 'check')} passed with a note:`);
    for (const check of noted) lines.push(...entry(check.id, check.reason, paint, width));
  }
  const skipped = of('skipped');
  if (skipped.length > 0) {
    lines.push(`${count(skipped.length, 'check was', 'checks were')} skipped:`);
    for (const [reason, ids] of folded(skipped)) {
      lines.push(...entry(`${ids.length} × ${reason === '' ? 'no reason given' : reason}`, '', paint, width));
      // those not located have a list of their own
      if (!reason.startsWith('not located')) {
        lines.push(...wrap(firstOf(ids.map(plain)), width - 6).map((line) => `      ${paint.dim(line)}`));
      }
    }
  }
  return lines.length === 0 ? lines : [...lines, ''];
}

/** How many checks ended how, in one line. */
export function checkCounts(checks: readonly Check[]): string {
  if (checks.length === 0) return 'none';
  return (['passed', 'failed', 'inconclusive', 'skipped'] as const)
    .map((outcome) => [checks.filter((check) => check.outcome === outcome).length, outcome] as const)
    .filter(([number, outcome]) => number > 0 || outcome === 'passed')
    .map(([number, outcome]) => `${number} ${outcome}`)
    .join(', ');
}

/** The JSON report has them all. */
function firstOf(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMED;
  return more > 1 ? `${ids.slice(0, MOST_NAMED).join(', ')} and ${more} more` : ids.join(', ');
}

function folded(checks: readonly Check[]): [reason: string, ids: string[]][] {
  const byReason = new Map<string, string[]>();
  for (const { reason, id } of checks) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  return [...byReason].sort(([, a], [, b]) => b.length - a.length);
}

function entry(head: string, text: string, paint: Paint, width: number): string[] {
  const lines = wrap(plain(head), width - 2).map((line) => `  ${line}`);
  return text === '' ? lines : [...lines, ...wrap(plain(text), width - 6).map((line) => `      ${paint.dim(line)}`)];
}
