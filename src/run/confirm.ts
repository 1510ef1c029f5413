import type { Contract } from '../contract/contract.ts';
import { serviceOf } from '../contract/services.ts';
import { isTransient } from '../egress/retry.ts';
import { samplesOf } from '../judge/judge.ts';
import type { Rejection } from '../judge/judgement.ts';
import { classify } from '../judge/outage/classify.ts';
import { foreignAnswers } from '../judge/outage/foreign.ts';
import { readingOf } from '../judge/outage/reading.ts';
import { refusals } from '../judge/outage/refusal.ts';
import { hasUnknownFormat } from '../judge/unknown-formats.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../model/call.ts';
import { readOf, repetitionOf } from './repetition.ts';
import type { Session } from './session.ts';

/** How often what is in question is asked again: of two machines behind one address one may know it, and one request in five may go astray. */
const ROUNDS = 4;
/** Requests of the first round, and of each later one. */
const MOST = 60;
const MOST_LATER = 12;
/** Refusals that another answer may prove wrong. One that failed tells nothing, however often it is asked for. */
const SERVED = ['accepted', 'otherwise'] as const;
/** More operations that time out or break are no matter of bad luck, and each costs seconds. */
const MOST_BROKEN = 5;

/**
 * Asks again, at the end of a run, whatever may turn out to have been passing trouble. Then one operation of each service in question
 * that worked is asked once more, because only an answer after it tells one operation from a service that has gone down. Only what
 * reads is asked again.
 */
export async function confirmFailures(session: Session): Promise<void> {
  // No trouble passes on the embedded mock, so that nothing is in question if all went well.
  if (session.target.embedded && session.calls.every(isAsWanted)) return;
  for (let round = 0; round < ROUNDS; round += 1) {
    const doubtful = round === 0 ? firstDoubts(session) : doubts(session, SERVED).slice(0, MOST_LATER);
    for (const call of doubtful) await callAgain(session, call);
    if (doubtful.length === 0) break;
  }
  if (session.isTokenless()) await askWithoutToken(session);
  for (const call of controls(session)) await callAgain(session, call);
}

function isAsWanted(call: Call): boolean {
  const status = finalAttempt(call)?.response?.status ?? 0;
  if (call.purpose === 'succeed') return isGood(call);
  return !mustBeRefused(call) || (status >= 400 && status < 500);
}

function firstDoubts(session: Session): Call[] {
  const broken = failedReads(session).filter(isBroken).slice(0, MOST_BROKEN);
  return [...broken, ...[...doubts(session, [...SERVED, 'inconclusive']), ...oddReads(session)].slice(0, MOST)];
}

/** Reads that were refused, led elsewhere or were not there, and requests that were not refused as they should be. */
function doubts(session: Session, kinds: readonly Rejection['kind'][]): Call[] {
  // Credentials that were refused are refused again, and may be locked for it.
  const refused = failedReads(session).filter((call) => !isBroken(call) && call.auth !== 'client');
  return [...refused, ...unrefused(session, kinds)];
}

function failedReads({ calls, target: { contract } }: Session): Call[] {
  const foreign = foreignAnswers(calls, contract, { suspected: true });
  const failed = [...classify(calls, contract, foreign)].flatMap(([call, { kind }]) => (kind === 'good' ? [] : [call]));
  return latestReads(failed, contract);
}

function latestReads(calls: readonly Call[], contract: Contract): Call[] {
  const reads = calls.filter((call) => call.notSent === null && readOf(call, contract) !== undefined);
  const keyOf = (call: Call): string => `${call.operationId} ${call.auth} ${finalAttempt(call)?.request.target}`;
  return [...new Map(reads.map((call) => [keyOf(call), call])).values()];
}

/** The only answer of a read, if it has a text of another form than was recorded: a second one tells whether that is so. */
function oddReads({ calls, target: { contract } }: Session): Call[] {
  const samples = samplesOf(calls, contract, foreignAnswers(calls, contract));
  const asked = Map.groupBy(samples, ({ operation }) => operation);
  const single = samples.filter(({ operation }) => operation.effect === 'read' && asked.get(operation)?.length === 1);
  return single.filter((sample) => hasUnknownFormat(contract, sample)).map(({ call }) => call);
}

function isBroken(call: Call): boolean {
  const last = finalAttempt(call);
  return last !== undefined && isTransient(last);
}

/** Requests without a token, with what is none or with another method, that were served, or refused otherwise than documented. */
function unrefused({ calls, target: { contract } }: Session, kinds: readonly Rejection['kind'][]): Call[] {
  const open = [...refusals(calls, contract)].filter(([{ purpose }, { kind }]) =>
    purpose === 'refuse-token' ? kinds.includes(kind) : purpose === 'refuse-method' && kind === 'accepted',
  );
  return latestReads(
    open.map(([call]) => call),
    contract,
  );
}

/** Where the token endpoint sends no token, what other operations say without one tells whether everything says the same. */
async function askWithoutToken(session: Session): Promise<void> {
  const asked = session.calls.filter(({ auth, attempts }) => auth === 'none' && attempts.length > 0);
  if (asked.length > 1) for (const call of asked.slice(-2)) await callAgain(session, call);
  else
    for (const read of session.reads.slice(0, 2))
      await session.makeCall({ ...read, auth: 'none', purpose: 'refuse-token' });
}

/** A read that worked, for each service of which something is still in question. */
function controls(session: Session): Call[] {
  const {
    calls,
    target: { contract },
  } = session;
  const failed = new Set(failedReads(session).map(({ operationId }) => operationId));
  if (failed.size === 0) return [];
  const foreign = foreignAnswers(calls, contract);
  const worked = calls.filter(
    (call) =>
      call.purpose === 'succeed' &&
      call.auth !== 'client' &&
      !failed.has(call.operationId) &&
      !foreign.has(call) &&
      readingOf(call).kind === 'good' &&
      readOf(call, contract) !== undefined,
  );
  const services = new Set([...failed].map((id) => serviceOf(contract, id)));
  const chosen = [...services].map(
    (service) => worked.findLast(({ operationId }) => serviceOf(contract, operationId) === service) ?? worked.at(-1),
  );
  return [...new Set(chosen.filter((call) => call !== undefined))];
}

/** Makes a call once more if it only reads and the target still answers; null where it does not. `record` takes more samples this way. */
export async function callAgain({ breaker, makeCall, target }: Session, call: Call): Promise<Call | null> {
  const again = repetitionOf(call, target.contract);
  return again === null || breaker.openFor(call.operationId) !== null ? null : makeCall(again);
}
