import type { Finding } from '../drift/finding.ts';
import type { Report } from './report.ts';
import { ruleTitle } from './rule-page.ts';
import { count } from './wrap.ts';

const MOST_TITLES = 3;

/** What a run that agrees warns of nevertheless. Empty for any other verdict. */
export function warningsOf({ verdict, findings }: Report): Finding[] {
  return verdict === 'agrees' ? findings.filter(({ severity }) => severity === 'warning') : [];
}

/**
 * `no error, but 3 warnings: it differs from its recording in 2 places; an operation is no longer there`, of a run that agrees with
 * warnings; null for any other.
 */
export function butWarnings(report: Report): string | null {
  const warnings = warningsOf(report);
  if (warnings.length === 0) return null;
  const recorded = warnings.filter(({ provenance }) => provenance === 'observed').length;
  const others = Map.groupBy(
    warnings.filter(({ provenance }) => provenance !== 'observed'),
    ({ rule }) => lowered(ruleTitle(rule)),
  );
  const titles = [...others].map(([title, own]) => (own.length === 1 ? title : `${title} (${own.length} times)`));
  const more = titles.length - MOST_TITLES;
  const what = [
    ...(recorded === 0 ? [] : [`it differs from its recording in ${count(recorded, 'place')}`]),
    ...titles.slice(0, MOST_TITLES),
    ...(more > 0 ? [`${more} more of another kind`] : []),
  ];
  return `no error, but ${count(warnings.length, 'warning')}: ${what.join('; ')}`;
}

function lowered(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}
