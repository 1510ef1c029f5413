import type { Finding } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { callOf, severityCounts, timeOf } from '../summary.ts';
import { count } from '../wrap.ts';

const MOST_NAMED = 3;

/** What a finding is, held to the last run with a verdict; null where there is none to hold it to. */
export function newnessIn({ since }: Pick<Report, 'since'>): (finding: Pick<Finding, 'fingerprint'>) => Newness | null {
  if (since === undefined) return () => null;
  const fresh = new Set(since.new);
  return ({ fingerprint }) => (fresh.has(fingerprint) ? 'new' : 'known');
}

export type Newness = 'new' | 'known';

/**
 * What is new since the last run with a verdict, what is known, what is gone, what is accepted until when: the first sentence of a
 * report, without capital and full stop. Null for a report of a command that compares with no earlier run and was given none.
 */
export function sinceSentence(report: Report): string | null {
  const { since, findings, history } = report;
  if (since === undefined) {
    if (report.command !== 'verify') return null;
    const why =
      history !== undefined && history.runs.length > 1
        ? 'no earlier run came to a verdict'
        : '--history and --previous name no earlier run';
    const all = severityCounts(findings).map(([, words]) => words);
    return [`there is nothing to compare with (${why}): ${all.join(', ') || 'no finding'}`, ...acceptance(report)].join(
      '; ',
    );
  }
  const isNew = newnessIn(report);
  const fresh = findings.filter((finding) => isNew(finding) === 'new');
  const known = severityCounts(findings.filter((finding) => isNew(finding) === 'known'));
  const counts = severityCounts(fresh).map(([, words]) => words);
  const when = timeOf(since.previous);
  return [
    fresh.length === 0
      ? `nothing new since ${when}${judgedOnly(report)}`
      : `new since ${when}: ${counts.join(', ')}${named(fresh)}`,
    ...(known.length === 0 ? [] : [`known: ${known.map(([, words]) => words).join(', ')}`]),
    ...(since.gone.length === 0 ? [] : [goneWords(since.gone, history)]),
    ...acceptance(report),
  ].join('; ');
}

/** What nobody could judge may be new. */
function judgedOnly({ verdict }: Report): string {
  return verdict === 'inconclusive' ? ' in what could be judged' : '';
}

/** `3 gone (1 error, 2 info)`: infos are gone once they are recorded, and are no good news. The severities where the history has all. */
function goneWords(gone: readonly string[], history: Report['history']): string {
  const known = new Map(history?.gone.map((finding) => [finding.fingerprint, finding]));
  const found = gone.flatMap((fingerprint) => known.get(fingerprint) ?? []);
  const of = severityCounts(found).map(([, words]) => words);
  return `${gone.length} gone${found.length < gone.length ? '' : ` (${of.join(', ')})`}`;
}

/** The first few that are more than worth knowing. */
function named(fresh: readonly Finding[]): string {
  const loud = fresh.filter(({ severity }) => severity !== 'info');
  if (loud.length === 0) return '';
  const names = loud
    .slice(0, MOST_NAMED)
    .map((finding) => `${finding.rule} in ${finding.operationId ?? callOf(finding)}`);
  const more = loud.length - names.length;
  return ` (${[...new Set(names)].join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

function acceptance({ accepted, expired = [] }: Report): string[] {
  const days = accepted.map(({ expires }) => expires).sort();
  const [first] = days;
  const until = days.length > 1 && days.at(-1) !== first ? `, the first until ${first}` : ` until ${first}`;
  return [
    ...(first === undefined ? [] : [`${accepted.length} accepted${until}`]),
    ...(expired.length === 0 ? [] : [`${count(expired.length, 'acceptance')} expired`]),
  ];
}
