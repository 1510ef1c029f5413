import type { ContractFolder } from '../spec/folder.ts';
import type { RuleId } from './rule-ids.ts';
import { ruleNamed } from './rule-names.ts';

/** How a check of a run ended. */
export interface RanCheck {
  readonly id: string;
  readonly operationId: string | null;
  readonly kind: 'any' | 'probe' | 'mock-only';
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'inconclusive';
}

/** Rules that a call of their own shows, and the ids of the checks that make it. All others are about answers that were wanted. */
const SHOWN_BY: Readonly<Partial<Record<RuleId, RegExp>>> = {
  'token-not-refused': /^unauthorised\./,
  'token-refused-otherwise': /^unauthorised\./,
  'wrong-credentials-accepted': /^token\.wrong-password$/,
  'wrong-grant-accepted': /^token\.wrong-grant$/,
  'method-not-refused': /\.other-method\./,
  'field-against-condition': /^[^.]+\.[^.]+-only-[^.]+$/,
  'limit-not-enforced': /^[^.]+\.limit\./,
  'precondition-not-enforced': /^[^.]+\.[^.]+-first$/,
  'deprecated-shape-differs': /\.deprecated-shape\./,
};
/** Checks whose calls are to be refused: what a good answer looks like, they do not show. */
const REFUSED = /^unauthorised\.|^token\.wrong-|\.other-method\.|^[^.]+\.limit\./;

/** True where a check ran to an end. */
export function hasEnded({ outcome }: RanCheck): boolean {
  return outcome === 'passed' || outcome === 'failed';
}

/**
 * True where the checks of a run would have shown the finding of an entry that names no checks: one of its operation that shows its
 * rule ran to an end, and none of its operation is unclear. What a target never allows is skipped in each run and counts for nothing.
 */
export function endedWithoutNames(
  { rule, operation }: { readonly rule: string | null; readonly operation: string | null },
  { checks, rules }: { readonly checks: readonly RanCheck[]; readonly rules: ContractFolder['rules'] },
): boolean {
  // it is about the run
  if (rule === 'tls-not-verified') return checks.some(hasEnded);
  const own = checks.filter(({ operationId }) => operation === null || operationId === operation);
  // Nobody knows which check it was: any that was skipped may have been it.
  if (operation === null || rule === 'contract-check-failed') {
    const possible = own.filter(({ kind, outcome }) => !(kind === 'mock-only' && outcome === 'skipped'));
    return possible.length > 0 && possible.every(hasEnded);
  }
  const by = rule === null ? undefined : SHOWN_BY[ruleNamed(rule, { rules }) as RuleId];
  const shows = ({ id }: RanCheck): boolean => (by === undefined ? !REFUSED.test(id) : by.test(id));
  return own.some((check) => shows(check) && hasEnded(check)) && !own.some(({ outcome }) => outcome === 'inconclusive');
}
