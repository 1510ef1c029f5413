import { plain } from '../plain.ts';
import type { Created } from '../report.ts';

/** What a run created in the target, a line each: what is gone again, and what is left and why. */
export function createdLines(created: readonly Created[]): string[] {
  if (created.length === 0) return [];
  const lines = created.map(({ id, operationId, removed, reason }) =>
    plain(`  ${id} (${operationId}): ${removed ? 'removed again' : `left there: ${reason}`}`),
  );
  return [...lines, ''];
}
