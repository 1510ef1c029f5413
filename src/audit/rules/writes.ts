import { count } from '../../text/words.ts';
import type { AuditRule, Case, RuleObservation, WriteOutcome } from '../rule.ts';

const NO_KEY = 'advice: the reference documents no idempotency key';
const SAID = { done: 'success', failed: 'failure', unknown: 'nothing' } as const;

export const writeDoneTwice: AuditRule<'write-done-twice'> = {
  id: 'write-done-twice',
  title: 'A write that is done twice',
  reference: 'RFC 9110, 9.2.2',
  severity: 'warning',
  message: (_, operation) => `${operation?.summary ?? 'A write'} was done more often than intended.`,
  needs: 'a write without an answer',
  evidence: (occasions, kept) => `${count(occasions, 'intended write')}, ${kept} done once at most`,
  judge: (of) => judgeWrites(of, 'one act for each intent', ({ done, intended }) => done > intended && 'more acts'),
};

export const writeLostSilently: AuditRule<'write-lost-silently'> = {
  id: 'write-lost-silently',
  title: 'A write whose outcome the program gets wrong',
  reference: NO_KEY,
  severity: 'warning',
  message: ({ actual }, operation) => `${operation?.summary ?? 'A write'} was ${actual}.`,
  needs: 'a write without an answer',
  evidence: (occasions, kept) => `${count(occasions, 'intended write')}, ${kept} reported as they ended`,
  judge: (of) =>
    judgeWrites(of, 'what the program says is what was done', ({ done, intended, said, isClaimed }) => {
      if (done < intended && said === 'done') return 'not done, and the program said success';
      return done >= intended && said === 'failed' && isClaimed && 'done, and the program said failure';
    }),
};

export const writeOutcomeNotLookedUp: AuditRule<'write-outcome-not-looked-up'> = {
  id: 'write-outcome-not-looked-up',
  title: 'A failed write whose outcome nobody looked up',
  reference: NO_KEY,
  severity: 'info',
  message: (_, operation) =>
    `${operation?.summary ?? 'A write'} failed, and the program did not read whether it was done.`,
  needs: 'a write without an answer',
  evidence: (occasions, kept) => `${count(occasions, 'intended write')}, ${kept} successful, looked up or not lost`,
  judge: (of) =>
    judgeWrites(
      of,
      'a read after the failure',
      ({ said, isOpen }) => isOpen && said !== 'done' && of.writes?.isLookedUp === false && 'no read',
    ),
};

function judgeWrites(of: Case, expected: string, faultOf: (outcome: WriteOutcome) => string | false) {
  const outcomes = of.writes?.outcomes ?? [];
  const observations = outcomes.flatMap((outcome): RuleObservation[] => {
    const actual = faultOf(outcome);
    if (actual === false) return [];
    const evidence = of.all.filter(({ seq }) => outcome.exchanges.includes(seq));
    const { operationId, intent } = outcome;
    const detail = `Intent: ${intent}. I${countsText([outcome]).slice(1)}, the program said ${SAID[outcome.said]}.`;
    return [{ operationId, expected, actual, detail, evidence }];
  });
  return { occasions: outcomes.length, kept: outcomes.length - observations.length, observations };
}

/** `intended 1, sent 2, done 2` */
export function countsText(outcomes: readonly WriteOutcome[]): string {
  const sum = (name: 'intended' | 'sent' | 'done'): string =>
    `${name} ${outcomes.reduce((total, outcome) => total + outcome[name], 0)}`;
  return `${sum('intended')}, ${sum('sent')}, ${sum('done')}`;
}
