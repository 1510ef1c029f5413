import type { Statement } from '../contract/statements.ts';
import type { Check, OperationCoverage, Report, RequiredCoverage } from '../model/report.ts';
import { count } from '../text/words.ts';
import { byReason, documentedFields } from './words/reasons.ts';

export function statementsOf(
  statements: readonly Statement[],
  checks: readonly Check[],
): Report['coverage']['statements'] {
  if (statements.length === 0) return undefined;
  const never = statements.flatMap(({ id, about, checks: patterns }) => {
    const own = checks.filter((check) => patterns.some((pattern) => isMatch(pattern, check.id)));
    if (own.some(({ outcome }) => outcome === 'passed' || outcome === 'failed')) return [];
    return [{ id, ...(about && { about }), reason: byReason(own)[0]?.reason ?? 'this run has no check for it' }];
  });
  return { checked: statements.length - never.length, of: statements.length, never };
}

function isMatch(pattern: string, id: string): boolean {
  const [wanted, given] = [pattern.split('.'), id.split('.')];
  return wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index]);
}

export function belowFloor(
  { fields, statements }: RequiredCoverage,
  operations: readonly OperationCoverage[],
  { checked, of }: { readonly checked: number; readonly of: number } = { checked: 0, of: 0 },
): string | null {
  const { seen, of: all } = documentedFields(operations);
  const missed = [
    ...(fields !== undefined && seen * 100 < fields * all
      ? [`saw ${seen} of ${count(all, 'documented field')}, and ${fields}% are required`]
      : []),
    ...(statements !== undefined && checked < statements
      ? [`checked ${checked} of ${count(of, 'documented statement')}, and ${statements} are required`]
      : []),
  ];
  return missed.length === 0 ? null : `The run ${missed.join('. It ')}.`;
}
