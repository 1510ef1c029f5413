import type { Seen } from './rule.ts';
import { groupBy } from './traffic.ts';

/**
 * Leaves out what follows from another habit: who asks for a token per call asks for several at once when calls are parallel, and for
 * one after a 403 as after any other answer.
 * Judged over all recordings, since the one may show the habit and another its consequence.
 */
export function withoutConsequences(seen: readonly Seen[]): Seen[] {
  const rules = groupBy(seen, ({ rule }) => rule);
  const perCall = rules.has('token-not-cached');
  return seen.filter(({ rule }) => !(perCall && (rule === 'refresh-not-shared' || rule === 'renewed-without-401')));
}
