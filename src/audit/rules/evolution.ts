import { count, firstFew } from '../../text/words.ts';
import type { AuditRule, RuleObservation } from '../rule.ts';

const MOST_NAMED = 3;

export const evolutionNotTolerated: AuditRule<'evolution-not-tolerated'> = {
  id: 'evolution-not-tolerated',
  title: 'An allowed change of answers that the program does not tolerate',
  reference: 'advice: answers may change as far as the contract allows',
  severity: 'warning',
  exceptions: 'info (`--evolve=hostile`: a change that no document and no recording shows)',
  message: ({ actual }, operation) =>
    `The program ${actual} after a change in the answer of ${operation?.summary ?? 'an operation'}.`,
  evidence: (occasions, kept) => `${count(occasions, 'change')}, ${kept} tolerated`,
  needs: 'an answer that can change',
  judge({ evolution, all }) {
    const { tried = 0, tolerated = 0, broken } = evolution ?? {};
    if (broken === undefined) return { occasions: tried, kept: tolerated, observations: [] };
    const { operationId, pointer, change, because, outcome, together, lastLines, again, source } = broken;
    const detail = [
      `The change is ${change}.`,
      because,
      together.length > 0 && `Only these changes together cause it: ${firstFew(together, MOST_NAMED)}.`,
      lastLines.length > 0 && `The last lines of its output: ${JSON.stringify(lastLines.join('\n'))}.`,
      `Reproduce it with \`${again}\`.`,
    ];
    const observation: RuleObservation = {
      ...{ operationId, pointer, source, severity: broken.isHostile ? 'info' : 'warning' },
      expected: `the same outcome with ${change}`,
      actual: outcome,
      detail: detail.filter(Boolean).join(' '),
      evidence: all.filter(({ entry }) => entry.operationId === operationId),
    };
    return { occasions: tried, kept: tolerated, observations: [observation] };
  },
};
