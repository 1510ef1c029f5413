import type { Report } from '../../model/report.ts';
import { list, type Section, type Tone, table, text } from '../blocks.ts';

type RuleOutcome = NonNullable<Report['rules']>[number]['outcome'];

const WORDS: Readonly<Record<RuleOutcome, { readonly chip: string; readonly tone: Tone }>> = {
  kept: { chip: 'kept', tone: 'good' },
  broken: { chip: 'broken', tone: 'error' },
  undecided: { chip: 'undecided', tone: 'plain' },
  'not-exercised': { chip: 'not exercised', tone: 'plain' },
};

export function rulesSection({ rules = [], advice = [] }: Report): Section {
  const rows = rules.map(({ rule, outcome, evidence = '', seen, needed }) => {
    const few = needed === undefined ? '' : `seen ${seen}, ${needed} needed`;
    return [{ code: rule }, WORDS[outcome], [evidence, few].filter(Boolean).join('; ')];
  });
  const sums = Object.entries(WORDS).map(
    ([outcome, { chip }]) => `${rules.filter((each) => each.outcome === outcome).length} ${chip}`,
  );
  const blocks =
    rules.length === 0 ? [] : [...table(['Rule', 'Outcome', 'Evidence'], rows), text(sums.join(', ')), ...list(advice)];
  return { id: 'rules', title: 'Rules', number: rules.length, blocks };
}
