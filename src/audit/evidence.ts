import { clockTime } from './times.ts';
import type { Sent } from './traffic.ts';

const MOST = 6;

/** `#3 at 10:00:00.120 (401), #5 at 10:00:00.180 (200)`; the first few, and how many more. */
export function listEvidence(evidence: readonly Sent[]): string {
  const shown = evidence
    .slice(0, MOST)
    .map((one) => `#${one.seq} at ${clockTime(one.start)} (${one.status ?? 'no answer'})`);
  const more = evidence.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** In the order of sending, each once. */
export function inOrder(sent: Iterable<Sent | null | undefined>): Sent[] {
  const each = new Set<Sent>();
  for (const one of sent) if (one != null) each.add(one);
  return [...each].sort((a, b) => a.start - b.start || a.seq - b.seq);
}
