import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import type { Paint } from './paint.ts';

const WORDS = { kept: 'kept', broken: 'broken', 'not-exercised': 'not exercised' } as const;

/** What became of each rule on a caller, a line each; empty for the reports of other commands. */
export function scoreCardLines(rules: NonNullable<Report['rules']>, paint: Paint): string[] {
  if (rules.length === 0) return [];
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const lines = rules.map(({ rule, outcome }) => {
    const text = `  ${plain(rule).padEnd(width)}  ${WORDS[outcome]}`;
    if (outcome === 'broken') return paint.severity('error', text);
    return outcome === 'kept' ? paint.good(text) : paint.dim(text);
  });
  const of = (outcome: keyof typeof WORDS): number => rules.filter((each) => each.outcome === outcome).length;
  const sum = (['kept', 'broken', 'not-exercised'] as const).map((each) => `${of(each)} ${WORDS[each]}`).join(', ');
  return [...lines, `  ${sum}`, ''];
}
