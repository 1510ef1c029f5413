import type { Contract } from '../contract/contract.ts';
import { serviceOf } from '../contract/services.ts';
import { isTransient } from '../egress/retry.ts';
import type { Rejection } from '../judge/judgement.ts';
import { classify } from '../judge/outage/classify.ts';
import { foreignAnswers } from '../judge/outage/foreign.ts';
import { readingOf } from '../judge/outage/reading.ts';
import { refusals } from '../judge/outage/refusal.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../model/call.ts';
import { isRead, repetitionOf } from './repetition.ts';
import type { Session } from './session.ts';

/** Rounds of repetitions. Two machines behind one address may differ, and one request in five may fail. */
const ROUNDS = 4;
/** Most requests of the first round, and of each later one. */
const MOST = 60;
const MOST_LATER = 12;
/** Kinds that another answer may disprove. Repeating an inconclusive one again and again proves nothing. */
const SERVED = ['accepted', 'otherwise'] as const;
/** If more operations time out or break, it is not bad luck. Each one costs seconds. */
const MOST_BROKEN = 5;
/** Working reads of a service that each round repeats. Every other round has one more: a loss may be regular. */
const CONTROLS = 2;

/**
 * Repeats, at the end of a run, the reads whose result may have been transient. After each round it repeats two working
 * reads of each affected service: only a later answer shows whether an operation or the whole service is down.
 */
export async function confirmFailures(session: Session): Promise<void> {
  // The embedded mock has no transient failures, so nothing is in doubt if all went well.
  if (session.target.embedded && session.calls.every(isAsWanted)) return;
  for (let round = 0; round < ROUNDS; round += 1) {
    const doubtful = round === 0 ? firstDoubts(session) : doubts(session, SERVED).slice(0, MOST_LATER);
    if (doubtful.length === 0) break;
    for (const call of doubtful) await callAgain(session, call);
    for (const call of controls(session, CONTROLS + ((round + 1) % 2))) {
      const again = await callAgain(session, call);
      // its own loss may be transient, too
      if (again !== null && !isGood(again)) await callAgain(session, call);
    }
  }
  if (session.isTokenless()) await askWithoutToken(session);
}

function isAsWanted(call: Call): boolean {
  const status = finalAttempt(call)?.response?.status ?? 0;
  if (call.purpose === 'succeed') return isGood(call);
  return !mustBeRefused(call) || (status >= 400 && status < 500);
}

function firstDoubts(session: Session): Call[] {
  const broken = failedReads(session).filter(isBroken).slice(0, MOST_BROKEN);
  return [...broken, ...doubts(session, [...SERVED, 'inconclusive']).slice(0, MOST)];
}

/** Reads that were rejected, redirected or not found, and requests that were not rejected as documented. */
function doubts(session: Session, kinds: readonly Rejection['kind'][]): Call[] {
  // Rejected credentials would be rejected again, and the retry may lock them.
  const refused = failedReads(session).filter((call) => !isBroken(call) && call.auth !== 'client');
  return [...refused, ...unrefused(session, kinds)];
}

function failedReads({ calls, target: { contract } }: Session): Call[] {
  const foreign = foreignAnswers(calls, contract, { suspected: true });
  const failed = [...classify(calls, contract, foreign)].flatMap(([call, { kind }]) => (kind === 'good' ? [] : [call]));
  return latestReads(failed, contract);
}

function latestReads(calls: readonly Call[], contract: Contract): Call[] {
  const reads = calls.filter((call) => call.notSent === null && isRead(call, contract));
  const keyOf = (call: Call): string => `${call.operationId} ${call.auth} ${finalAttempt(call)?.request.target}`;
  return [...new Map(reads.map((call) => [keyOf(call), call])).values()];
}

function isBroken(call: Call): boolean {
  const last = finalAttempt(call);
  return last !== undefined && isTransient(last);
}

/** Requests that should fail (no token, garbage token, other method) but were accepted or rejected the wrong way. */
function unrefused({ calls, target: { contract } }: Session, kinds: readonly Rejection['kind'][]): Call[] {
  const open = [...refusals(calls, contract)].filter(([{ purpose }, { kind }]) =>
    purpose === 'refuse-token' ? kinds.includes(kind) : purpose === 'refuse-method' && kind === 'accepted',
  );
  return latestReads(
    open.map(([call]) => call),
    contract,
  );
}

/** If the token endpoint sends no token, requests without a token show whether all operations answer alike. */
async function askWithoutToken(session: Session): Promise<void> {
  const asked = session.calls.filter(({ auth, attempts }) => auth === 'none' && attempts.length > 0);
  if (asked.length > 1) for (const call of asked.slice(-2)) await callAgain(session, call);
  else
    for (const read of session.reads.slice(0, 2))
      await session.makeCall({ ...read, auth: 'none', purpose: 'refuse-token' });
}

/** Two reads that worked, for each service with failed reads or with requests that were not rejected. */
function controls(session: Session, most: number): Call[] {
  const { calls, target } = session;
  const { contract } = target;
  const failed = new Set(failedReads(session).map(({ operationId }) => operationId));
  const open = unrefused(session, [...SERVED, 'inconclusive']).map(({ operationId }) => operationId);
  const services = new Set([...failed, ...open].map((id) => serviceOf(contract, id)));
  if (services.size === 0) return [];
  const foreign = foreignAnswers(calls, contract);
  const worked = calls.filter(
    (call) =>
      call.purpose === 'succeed' &&
      call.auth !== 'client' &&
      !failed.has(call.operationId) &&
      !foreign.has(call) &&
      readingOf(call).kind === 'good' &&
      isRead(call, contract),
  );
  const latest = [...new Map(worked.map((call) => [call.operationId, call])).values()];
  const chosen = [...services].flatMap((service) => {
    const own = latest.filter(({ operationId }) => serviceOf(contract, operationId) === service);
    return (own.length > 0 ? own : latest).slice(-most);
  });
  return [...new Set(chosen)];
}

/** Repeats a call if it only reads and the target still answers, else returns null. `record` also uses this. */
export async function callAgain({ breaker, makeCall, target }: Session, call: Call): Promise<Call | null> {
  const again = repetitionOf(call, target.contract);
  return again === null || breaker.openFor(call.operationId) !== null ? null : makeCall(again);
}
