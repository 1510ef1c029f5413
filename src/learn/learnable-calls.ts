import type { Contract } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import { classify } from '../judge/outage/classify.ts';
import { type ForeignAnswer, foreignAnswers, reasonOf } from '../judge/outage/foreign.ts';
import { likeness } from '../judge/outage/likeness.ts';
import { refusals } from '../judge/outage/refusal.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../model/call.ts';
import { contentOf } from '../model/media.ts';
import { reasonText } from '../model/reason.ts';

export interface LearnableCalls {
  readonly calls: readonly Call[];
  readonly leftOut: ReadonlyMap<string, string>;
  /** Operations of which nothing is known this time: they were asked, gave no answer of their own, and are not withdrawn. */
  readonly unheard: ReadonlySet<string>;
}

/**
 * Leaves out what an outage sent in place of the API: notices of maintenance, pages and errors of a gateway, nothing at all. An outage
 * that is learned as if it were the API would make every good night after it a red one.
 *
 * @param contract with what earlier recordings know, which a notice contradicts
 */
export function learnableCalls(calls: readonly Call[], contract: Contract): LearnableCalls {
  const foreign = strangersIn(calls, contract);
  const judgements = classify(calls, contract, foreign);
  const refused = refusals(calls, contract, foreign);
  const leftOut = new Map<string, string>();
  const kept = calls.filter((call) => {
    const strange = foreign.get(call);
    const judgement = judgements.get(call) ?? refused.get(call);
    const unclear = judgement?.kind === 'inconclusive' ? judgement.why : undefined;
    const why = strange === undefined ? unclear : reasonOf(strange);
    // A refusal of what was sent is the operation's own.
    if (why !== undefined && why.kind !== 'body-unknown') {
      leftOut.set(call.operationId, reasonText(why));
      return false;
    }
    // What was right when asked again was passing trouble.
    return judgement?.kind !== 'good' || isGood(call);
  });
  const heard = new Set(
    kept.filter((call) => isGood(call) && !mustBeRefused(call)).map(({ operationId }) => operationId),
  );
  const withdrawn = [...judgements].filter(([, { kind }]) => kind === 'withdrawn').map(([call]) => call.operationId);
  const asked = new Set(calls.filter(({ purpose }) => purpose === 'succeed').map(({ operationId }) => operationId));
  return { calls: kept, leftOut, unheard: asked.difference(heard.union(new Set(withdrawn))) };
}

export function strangersIn(calls: readonly Call[], contract: Contract): ReadonlyMap<Call, ForeignAnswer> {
  return new Map([...noticesIn(calls, contract), ...foreignAnswers(calls, contract)]);
}

/** Where nobody has shown the payload no answer is foreign, but whoever learns the payload had better ask again. */
function noticesIn(calls: readonly Call[], contract: Contract): Map<Call, ForeignAnswer> {
  const reads = calls.filter(
    (call) => !mustBeRefused(call) && isGood(call) && contract.operation(call.operationId)?.effect === 'read',
  );
  const found = new Map<Call, ForeignAnswer>();
  for (const [look, own] of Map.groupBy(reads, noticeOf)) {
    // The two forms of one operation answer alike.
    const operations = new Set(own.map(({ operationId }) => contract.operation(operationId)?.successor ?? operationId));
    if (look === null || operations.size < 2) continue;
    for (const call of own) found.set(call, { operations, service: '' });
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
