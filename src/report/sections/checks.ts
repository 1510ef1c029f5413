import type { Check, Outcome, Report } from '../../model/report.ts';
import { count } from '../../text/words.ts';
import { type Block, type BlockGroup, list, pageTable, type Section, type Tone } from '../blocks.ts';
import { areaOf, byReason, idsOf } from '../words/reasons.ts';

const MOST_NAMED = 5;

const ONLY_INFOS = /^info: [^,:]+(?:, info: [^,:]+)*$/;

const OUTCOMES: readonly [outcome: Outcome, words: string, tone: Tone][] = [
  ['inconclusive', 'could not be judged', 'warning'],
  ['failed', 'failed', 'error'],
  ['passed', 'passed with a note', 'plain'],
  ['skipped', 'skipped', 'plain'],
];

/** Passed checks without a note are only on the page. */
export function checksSection({ checks }: Report): Section {
  const groups = OUTCOMES.flatMap(([outcome, words, tone]): BlockGroup[] => {
    const own = checks.filter(
      (check) =>
        check.outcome === outcome && (outcome !== 'passed' || (check.reason !== '' && !ONLY_INFOS.test(check.reason))),
    );
    if (own.length === 0) return [];
    const blocks: Block[] =
      outcome === 'failed'
        ? list([idsOf(own, MOST_NAMED)])
        : list(
            byReason(own).map((shared) => `${shared.reason.replace(/\.$/, '')}: ${namesOf(shared.checks, outcome)}`),
          );
    return [{ kind: 'group', title: `${count(own.length, 'check')} ${words}`, tone, blocks }];
  });
  const rows = checks.map(({ id, outcome, reason }) => [{ code: id }, outcome, reason]);
  const each = pageTable('Each check', ['Check', 'Outcome', 'Reason'], rows);
  const blocks = checks.length === 0 ? [] : [...groups, each];
  return { id: 'checks', title: 'Checks', number: checks.length, blocks };
}

function namesOf(checks: readonly Check[], outcome: Outcome): string {
  if (outcome !== 'skipped' || checks.length <= 2) return idsOf(checks, MOST_NAMED);
  const areas = Map.groupBy(checks, ({ id }) => areaOf(id));
  return [...areas].map(([area, own]) => `${own.length} ${area}`).join(', ');
}
