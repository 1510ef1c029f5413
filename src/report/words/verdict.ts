import { EXIT } from '../../errors.ts';
import type { Finding } from '../../model/finding.ts';
import type { Report, Verdict } from '../../model/report.ts';
import { ruleTitle } from '../links.ts';
import { count } from '../wrap.ts';
import { sinceSentence } from './since.ts';

const MOST_TITLES = 3;

/** How a run ended; `warned` is one that agrees with warnings. */
export type Tone = Verdict | 'interrupted' | 'warned';

/** How a run ended. */
export function toneOf(report: Report): Tone {
  if (report.exitCode === EXIT.interrupted) return 'interrupted';
  return warningsOf(report).length > 0 ? 'warned' : report.verdict;
}

/** The word for each way to end. */
export const VERDICT: Readonly<Record<Tone, string>> = {
  drift: 'Drift',
  inconclusive: 'Inconclusive',
  interrupted: 'Interrupted',
  agrees: 'Agrees',
  warned: 'Agrees',
};

/** What is new, then what the verdict means here: sentences without capitals and full stops. */
export function verdictSentences(report: Report): string[] {
  const since = sinceSentence(report);
  return [...(since === null ? [] : [since]), ...meaningOf(report)];
}

function meaningOf(report: Report): string[] {
  const who = report.command === 'audit' ? 'the caller' : 'the target';
  const stale = report.stale.length;
  const gone = stale === 0 ? [] : [`the baseline has ${count(stale, 'stale entry', 'stale entries')}`];
  switch (toneOf(report)) {
    case 'interrupted':
      return ['the run did not come to its end'];
    case 'drift':
      return [`${who} differs from the contract`];
    case 'inconclusive':
      return [`it could not be told whether ${who} agrees`];
    case 'agrees':
      return [[`${who} agrees with the contract`, ...gone].join(', but ')];
    case 'warned':
      return [butWarnings(report), ...gone];
  }
}

/** What a run that agrees warns of nevertheless. Empty for any other verdict. */
export function warningsOf({ verdict, findings }: Report): Finding[] {
  return verdict === 'agrees' ? findings.filter(({ severity }) => severity === 'warning') : [];
}

/** `no error, but 3 warnings: it differs from its recording in 2 places; an operation is no longer there`, of a run that agrees with warnings. */
export function butWarnings(report: Report): string {
  const warnings = warningsOf(report);
  const recorded = warnings.filter(({ provenance }) => provenance === 'observed').length;
  const others = Map.groupBy(
    warnings.filter(({ provenance }) => provenance !== 'observed'),
    (finding) => lowered(ruleTitle(finding)),
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
