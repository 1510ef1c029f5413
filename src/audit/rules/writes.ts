import { is2xx } from '../../model/exchange.ts';
import { count } from '../../text/words.ts';
import {
  type AuditRule,
  type Case,
  isOpen,
  observeAlike,
  type RuleJudgement,
  type RuleObservation,
  subject,
  type WriteOutcome,
} from '../rule.ts';
import { firstFrom, type Sent } from '../traffic.ts';

const NO_KEY = 'advice: the reference documents no idempotency key';
const SAID = { done: 'success', failed: 'failure', unknown: 'nothing' } as const;

export const writeDoneTwice: AuditRule<'write-done-twice'> = {
  id: 'write-done-twice',
  title: 'A write that is done twice',
  reference: 'RFC 9110, 9.2.2',
  severity: 'warning',
  message: ({ actual }, operation) =>
    actual === BLIND
      ? `${subject(operation)} was sent again although its answer was lost, so it may have been done twice.`
      : `${subject(operation)} was done more often than intended.`,
  needs: 'a write without an answer',
  evidence: (occasions, kept) => `${count(occasions, 'intended write')}, ${kept} done once at most`,
  judge: (of) =>
    of.writes === undefined
      ? judgeLostAnswers(of)
      : judgeWrites(of, 'one act for each intent', ({ done, intended }) => done > intended && 'more acts'),
};

const BLIND = 'sent again after a lost answer';
/** PUT and DELETE have the same effect if they are repeated (RFC 9110, 9.2.2). */
const COUNTED: ReadonlySet<string> = new Set(['POST', 'PATCH']);
/** The request did not arrive. */
const NOT_SENT: ReadonlySet<string | undefined> = new Set(['refused', 'dns', 'proxy', 'tls', 'connect-timeout']);
/** Milliseconds. Later, an equal write is a new intent. */
const LATEST_RETRY = 600_000;

/** Writes that were sent again while nothing showed whether they had been done. */
function judgeLostAnswers(of: Case): RuleJudgement {
  const { calls } = of.traffic;
  const writes = calls.filter(
    ({ operation, entry }) => operation != null && operation.effect !== 'read' && COUNTED.has(entry.method),
  );
  const reads = calls.filter(
    ({ operation, status }) => operation?.effect === 'read' && status !== null && is2xx(status),
  );
  const isBlind = (sent: Sent, before: Sent | undefined): boolean =>
    before !== undefined &&
    isLost(before) &&
    sent.start - before.end < LATEST_RETRY &&
    !reads
      .slice(firstFrom(reads, before.end, startOf), firstFrom(reads, sent.start, startOf))
      .some(({ end }) => end <= sent.start);
  const intents = [...Map.groupBy(writes, (sent) => intentOf(sent, of))].filter(
    ([intent, sent]) => intent !== null && sent.some((one) => isLost(one) && !isOpen(one.end, of)),
  );
  const broken = intents.flatMap(([, sent]) => {
    const again = sent.filter((one, index) => isBlind(one, sent[index - 1]));
    return again.length === 0 ? [] : [{ sent, again }];
  });
  return {
    occasions: intents.length,
    kept: intents.length - broken.length,
    observations: observeAlike(
      broken,
      ({ sent }) => sent[0]?.operationId,
      (_, all) => ({
        operationId: all[0]?.sent[0]?.operationId ?? null,
        expected: 'a look at the outcome before the write is sent again',
        actual: BLIND,
        detail: `${count(all.flatMap(({ sent }) => sent).length, 'request')} for ${count(all.length, 'intent')}.`,
        evidence: all.flatMap(({ sent }) => sent),
      }),
    ),
  };
}

function startOf({ start }: Sent): number {
  return start;
}

function isLost({ status, entry }: Sent): boolean {
  return status === null && !NOT_SENT.has(entry.failure?.kind);
}

/** The named intent, or the whole request. Null if a masked value could be different ones. */
function intentOf({ operationId, entry, key }: Sent, of: Case): string | null {
  const named = of.intentOf?.(entry);
  if (named !== undefined) return JSON.stringify([operationId, named]);
  return key.includes('[redacted') ? null : key;
}

export const writeLostSilently: AuditRule<'write-lost-silently'> = {
  id: 'write-lost-silently',
  title: 'A write whose outcome the program gets wrong',
  reference: NO_KEY,
  severity: 'warning',
  message: ({ actual }, operation) => `${subject(operation)} was ${actual}.`,
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
  message: (_, operation) => `${subject(operation)} failed, and the program did not read whether it was done.`,
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
    const detail = `Intent: ${intent}. I${countsText([outcome]).slice(1)}, the program reported ${SAID[outcome.said]}.`;
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
