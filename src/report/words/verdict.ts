import { EXIT } from '../../errors.ts';
import type { Finding } from '../../model/finding.ts';
import type { Report, RunSummary, Verdict } from '../../model/report.ts';
import { count, firstFew } from '../../text/words.ts';
import { lastRunOfEachDay } from '../daily-runs.ts';
import { newnessIn } from '../since.ts';
import { callText, numbersOf, severityCounts, worstFirst } from '../summary.ts';
import { partInfos } from './infos.ts';
import { BELOW_FLOOR, whyInconclusive } from './reasons.ts';
import { shareText } from './share.ts';

const MOST_NAMED = 3;

/** How a run ended; `warned` agrees with warnings. */
export type ReportEnding = Verdict | 'interrupted' | 'warned';

const HEADWORD: Readonly<Record<ReportEnding, string>> = {
  drift: 'DRIFT',
  inconclusive: 'INCONCLUSIVE',
  interrupted: 'INTERRUPTED',
  agrees: 'AGREES',
  warned: 'AGREES',
};

/** What a run of a caller did not try. */
export function untriedIn({ command, checks }: Report): string[] {
  const skipped = command === 'survive' ? checks.filter(({ outcome }) => outcome === 'skipped') : [];
  return skipped.map(({ reason }) => (reason ?? '').replace(/\.$/, ''));
}

/** A caller does not agree with a contract; it keeps or breaks rules. */
export function headwordOf(report: Report): string {
  const ending = endingOf(report);
  if (isCaller(report) && ending === 'warned') return 'KEEPS THE RULES, BUT';
  if (isCaller(report) && ending === 'drift') return `BREAKS ${count(brokenRules(report), 'RULE', 'RULES')}`;
  return HEADWORD[ending];
}

function isCaller({ command }: Report): boolean {
  return command === 'audit' || command === 'survive';
}

function brokenRules({ findings }: Report): number {
  return new Set(findings.flatMap(({ severity, rule }) => (severity === 'info' ? [] : [rule]))).size;
}

/** `DRIFT: 1 error (…)`, `KEEPS THE RULES, BUT 1 warning (…)`. */
export function headline({ headword, reason }: { readonly headword: string; readonly reason: string }): string {
  return `${headword}${headword.endsWith('BUT') ? '' : ':'} ${reason}`;
}

export function endingOf(report: Report): ReportEnding {
  if (report.exitCode === EXIT.interrupted) return 'interrupted';
  return warningsOf(report).length > 0 ? 'warned' : report.verdict;
}

export function warningsOf({ verdict, findings }: Report): Finding[] {
  return verdict === 'agrees' ? findings.filter(({ severity }) => severity === 'warning') : [];
}

/** The first line of a report: `DRIFT: 1 new warning (type-contradicted in anOperation), 2 known.` */
export function verdictLine(report: Report): string {
  return `${headline({ headword: headwordOf(report), reason: verdictReason(report) })}.`;
}

/** First the share, so that no verdict looks better than its evidence. A caller has none. */
export function verdictReason(report: Report): string {
  return [isCaller(report) ? '' : shareText(report), outcomeOf(report)].filter((part) => part !== '').join('; ');
}

function outcomeOf(report: Report): string {
  const found = foundIn(report);
  const also = found.length === 0 ? '' : `; ${found.join(', ')}`;
  switch (endingOf(report)) {
    case 'interrupted':
      return `the run was stopped before its end${also}`;
    case 'inconclusive':
      return `${obstacleOf(report)}${nightsOf(report)}${also}`;
    default:
      return [...quietly(report), ...found, ...untriedIn(report)].join(', ');
  }
}

function quietly({ findings }: Report): string[] {
  if (findings.length === 0) return ['no findings'];
  return partInfos(findings).loud.length === 0 ? ['no errors or warnings'] : [];
}

function obstacleOf(report: Report): string {
  const reasons = whyInconclusive(report);
  const [first] = reasons;
  if (first !== undefined) {
    const all = reasons.flatMap(({ checks }) => checks).length;
    const share = reasons.length === 1 ? '' : `${first.checks.length} of `;
    return `${first.reason} (${share}${count(all, 'check')})`;
  }
  const floor = report.notices?.find(({ code }) => code === BELOW_FLOOR)?.message;
  if (floor !== undefined) return floor.charAt(0).toLowerCase() + floor.slice(1, -1);
  const unwatched = new Set(report.notices?.flatMap((notice) => notice.unwatched ?? []));
  return unwatched.size === 0 ? 'nothing was checked' : `${count(unwatched.size, 'recorded operation')} not watched`;
}

const ORDINALS = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** How many nights in a row had no verdict, this one included. Counts runs if there is only one night. */
function nightsOf({ history }: Report): string {
  const rowOf = (runs: readonly RunSummary[]): number =>
    runs.length - 1 - runs.findLastIndex(({ verdict }) => verdict !== 'inconclusive');
  const runs = history?.runs ?? [];
  const nights = rowOf(lastRunOfEachDay(runs));
  const ordinal = ORDINALS[nights - 2];
  if (ordinal !== undefined) return `, ${ordinal} night without a verdict`;
  if (nights > 1) return `, ${nights} nights in a row without a verdict`;
  return rowOf(runs) < 2 ? '' : `, ${rowOf(runs)} runs in a row without a verdict`;
}

function foundIn(report: Report): string[] {
  const { since, findings, accepted, expired = [], stale } = report;
  const { loud, infos } = partInfos(findings);
  const newness = newnessIn(report);
  const isNew = (finding: Finding): boolean => newness(finding) === 'new';
  const fresh = since === undefined ? loud : loud.filter(isNew);
  const freshInfos = infos.filter(isNew).length;
  const words = severityCounts(numbersOf(fresh)).map((counted) =>
    since === undefined ? counted : counted.replace(' ', ' new '),
  );
  const days = accepted.map(({ expires }) => expires).sort();
  const until = days[0] === days.at(-1) ? ` until ${days[0]}` : `, the first until ${days[0]}`;
  return [
    ...(since !== undefined && fresh.length === 0 && loud.length > 0 ? ['nothing new'] : []),
    ...(fresh.length === 0 ? [] : [`${words.join(', ')} (${namesOf(fresh)})`]),
    ...(fresh.length === loud.length
      ? []
      : [
          knownWords(
            loud.filter((finding) => !isNew(finding)),
            fresh.length > 0,
          ),
        ]),
    ...(since === undefined || since.gone.length === 0 ? [] : [goneWords(since.gone, report.history)]),
    ...(infos.length === 0 ? [] : [`${infos.length} info${freshInfos === 0 ? '' : ` (${freshInfos} new)`}`]),
    ...(accepted.length === 0 ? [] : [`${accepted.length} accepted${until}`]),
    ...(expired.length === 0 ? [] : [`${count(expired.length, 'acceptance')} expired`]),
    ...(stale.length === 0 ? [] : [`${count(stale.length, 'stale baseline entry', 'stale baseline entries')}`]),
  ];
}

/** `2 known`; with their names and since when if there is nothing new to name. */
function knownWords(known: readonly Finding[], isBesideNew: boolean): string {
  const names = isBesideNew
    ? ''
    : ` (${namesOf(known, ({ firstSeen }) => firstSeen && ` since ${firstSeen.slice(0, 10)}`)})`;
  return `${known.length} known${names}`;
}

function namesOf(findings: readonly Finding[], more: (finding: Finding) => string | undefined = () => ''): string {
  const names = worstFirst(findings).map(
    (finding) => `${finding.rule} in ${finding.operationId ?? callText(finding)}${more(finding) ?? ''}`,
  );
  return firstFew([...new Set(names)], MOST_NAMED);
}

/** `3 gone (1 error, 2 info)`. Without severities if the history does not have all of them. */
function goneWords(gone: readonly string[], history: Report['history']): string {
  const known = new Map(history?.gone.map((finding) => [finding.fingerprint, finding]));
  const found = gone.flatMap((fingerprint) => known.get(fingerprint) ?? []);
  const of = severityCounts(numbersOf(found)).join(', ');
  return `${gone.length} gone${found.length < gone.length ? '' : ` (${of})`}`;
}
