import type { Contract } from '../contract/contract.ts';
import { classify } from '../judge/outage/classify.ts';
import { foreignAnswers } from '../judge/outage/foreign.ts';
import { likeness } from '../judge/outage/likeness.ts';
import { refusals } from '../judge/outage/refusal.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../model/call.ts';
import { contentOf } from '../model/media.ts';
import { isOfOneCall, type Reason, reasonText } from '../model/reason.ts';
import { isObject } from '../schema/json.ts';

/**
 * Drops the traces of an outage: maintenance notices, pages and errors of a gateway, empty answers. If a recording
 * learned them, every later run against the healthy API would fail.
 *
 * @param contract with the facts of earlier recordings, which a notice contradicts
 * @returns `unanswered`: operations that were called, gave no answer of their own, and are not withdrawn
 */
export function learnableCalls(calls: readonly Call[], contract: Contract) {
  const foreign = foreignAnswersIn(calls, contract);
  const judgements = classify(calls, contract, foreign);
  const refused = refusals(calls, contract, foreign);
  const leftOut = new Map<string, string>();
  const kept = calls.filter((call) => {
    const judgement = judgements.get(call) ?? refused.get(call);
    const why = foreign.get(call) ?? (judgement?.kind === 'inconclusive' ? judgement.why : undefined);
    // A rejection of the request body comes from the operation itself, so it can be learned.
    if (why !== undefined && !isOfOneCall(why) && why.kind !== 'body-unknown') {
      leftOut.set(call.operationId, reasonText(why));
      return false;
    }
    // A success after a retry means that the failure was temporary.
    return judgement?.kind !== 'good' || isGood(call);
  });
  const answered = new Set(
    kept.filter((call) => isGood(call) && !mustBeRefused(call)).map(({ operationId }) => operationId),
  );
  const withdrawn = [...judgements].filter(([, { kind }]) => kind === 'withdrawn').map(([call]) => call.operationId);
  const asked = new Set(calls.filter(({ purpose }) => purpose === 'succeed').map(({ operationId }) => operationId));
  return { calls: kept, leftOut, unanswered: asked.difference(answered.union(new Set(withdrawn))) };
}

export function foreignAnswersIn(calls: readonly Call[], contract: Contract): ReadonlyMap<Call, Reason> {
  return new Map([...noticesIn(calls, contract), ...foreignAnswers(calls, contract)]);
}

/** The judge accepts any answer to an undocumented payload. A recording must not learn a notice as that payload. */
function noticesIn(calls: readonly Call[], contract: Contract): Map<Call, Reason> {
  const reads = calls.filter(
    (call) => !mustBeRefused(call) && isGood(call) && contract.operation(call.operationId)?.effect === 'read',
  );
  const found = new Map<Call, Reason>();
  for (const [look, own] of Map.groupBy(reads, noticeOf)) {
    // The two forms of one operation have equal answers.
    const operations = new Set(own.map(({ operationId }) => contract.operation(operationId)?.successor ?? operationId));
    if (look === null || operations.size < 2) continue;
    const why: Reason = { kind: 'foreign-answer', service: '', operations: operations.size };
    for (const call of own) found.set(call, why);
  }
  return found;
}

function noticeOf(call: Call): string | null {
  const last = finalAttempt(call);
  if (last === undefined) return null;
  const content = contentOf(last);
  const isPlain =
    content.kind === 'json'
      ? isObject(content.value) && Object.values(content.value).every((member) => typeof member !== 'object')
      : content.kind === 'empty' || content.kind === 'other';
  return isPlain ? likeness(last) : null;
}
