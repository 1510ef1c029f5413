import { serviceOf } from '../contract/services.ts';
import { isTransient } from '../egress/retry.ts';
import { samplesOf } from '../judge/judge.ts';
import { hasOddText } from '../judge/odd-texts.ts';
import { classify } from '../judge/outage/classify.ts';
import { foreignAnswers } from '../judge/outage/foreign.ts';
import { readingOf } from '../judge/outage/reading.ts';
import { refusalOf, refusals } from '../judge/outage/refusal.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import { readOf, repetitionOf } from './repetition.ts';
import type { Session } from './session.ts';

/** More operations that time out or break are no matter of bad luck, and each costs seconds. */
const MOST_BROKEN = 5;
/** Answers that came at once are cheap. */
const MOST_OTHERS = 60;
/** How often a request is sent again that was not refused, and how many of these are sent beyond the first in a run. */
const MOST_DOUBTS = 4;
const PATIENCE = 12;
/** How often what is not there is asked at the end: of two machines behind one address one may know it. */
const DOUBTS = 3;

/**
 * Asks again, at the end of a run, whatever may turn out to have been passing trouble: reads that failed, were refused, led elsewhere or
 * were not there or sent a text of another form than recorded, and requests without a token that were not refused as they should be. Then one operation of each service in question
 * that worked is asked once more, because only an answer after it tells one operation from a service that has gone down. Only what
 * reads is asked again.
 */
export async function confirmFailures(session: Session): Promise<void> {
  let known = 0;
  let failed: Call[] = [];
  /** Reads that should succeed and did not, after the calls so far. */
  const failures = (): readonly Call[] => {
    if (known !== session.calls.length) failed = failedReads(session);
    known = session.calls.length;
    return failed;
  };
  for (const call of failures().filter(isBroken).slice(0, MOST_BROKEN)) await callAgain(session, call);
  for (let round = 0; round < DOUBTS; round += 1) {
    // Credentials that were refused are refused again, and may be locked for it.
    const refused = failures().filter((call) => !isBroken(call) && call.auth !== 'client');
    for (const call of refused.slice(0, MOST_OTHERS)) await callAgain(session, call);
    if (refused.length === 0) break;
  }
  for (const call of oddReads(session).slice(0, MOST_OTHERS)) await callAgain(session, call);
  await doubt(session);
  if (session.isTokenless()) await askWithoutToken(session);
  for (const call of controls(session, failures())) await callAgain(session, call);
}

/** The last of the calls of each read that should succeed and did not. */
function failedReads({ calls, target: { contract } }: Session): Call[] {
  const failed = [...classify(calls, contract)].filter(
    ([call, { kind }]) => kind !== 'good' && call.notSent === null && readOf(call, contract) !== undefined,
  );
  return [
    ...new Map(failed.map(([call]) => [`${call.operationId}\n${finalAttempt(call)?.request.target}`, call])).values(),
  ];
}

/** The only answer of a read, if it has a text of another form than was recorded: a second one tells whether that is so. */
function oddReads({ calls, target: { contract } }: Session): Call[] {
  const samples = samplesOf(calls, contract, foreignAnswers(calls, contract));
  const asked = Map.groupBy(samples, ({ operation }) => operation);
  const single = samples.filter(({ operation }) => operation.effect === 'read' && asked.get(operation)?.length === 1);
  return single.filter((sample) => hasOddText(contract, sample)).map(({ call }) => call);
}

function isBroken(call: Call): boolean {
  const last = finalAttempt(call);
  return last !== undefined && isTransient(last);
}

/** Requests without a token, with what is none or with another method, that were served, or refused otherwise than documented. */
function unrefused({ calls, target: { contract } }: Session): Call[] {
  const open = [...refusals(calls, contract)].filter(
    ([{ purpose, notSent }, { kind }]) =>
      (purpose === 'refuse-token' ? kind !== 'refused' : purpose === 'refuse-method' && kind === 'accepted') &&
      notSent === null,
  );
  return open
    .map(([call]) => call)
    .filter((call) => readOf(call, contract) !== undefined)
    .slice(0, MOST_OTHERS);
}

/**
 * Asks again what was not refused, until it is or has been asked often enough: one request in five may go astray. What everything answers
 * needs no such patience.
 */
async function doubt(session: Session): Promise<void> {
  let patience = PATIENCE;
  for (const call of unrefused(session)) {
    for (let times = 0; times === 0 || (times < MOST_DOUBTS && patience > 0); times += 1) {
      if (times > 0) patience -= 1;
      const again = await callAgain(session, call);
      // What cannot be told from an answer that fails costs time, and no patience helps.
      if (again === null || !['accepted', 'otherwise'].includes(refusalOf(again, true).kind)) break;
    }
  }
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
function controls({ calls, target: { contract } }: Session, failures: readonly Call[]): Call[] {
  const failed = new Set(failures.map(({ operationId }) => operationId));
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
