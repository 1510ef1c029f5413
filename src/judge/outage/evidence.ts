import type { Contract } from '../../contract/contract.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, mustBeRefused } from '../../model/call.ts';
import { isOwnAnswer } from './answer-origin.ts';
import { readingOf } from './reading.ts';

export type Evidence = ReturnType<typeof gather>;

export function seqOf(call: Call | undefined): number {
  return (call && finalAttempt(call)?.seq) ?? 0;
}

/** Both forms of an operation stand for one: they change and fail together. */
export function formsIn(ids: Iterable<string>, contract: Contract): ReadonlySet<string> {
  return new Set([...ids].map((id) => contract.operation(id)?.successor ?? id));
}

/**
 * The calls of a run by operation and service, to weigh a bad answer against good answers.
 *
 * @param foreign calls whose good status does not count
 */
export function gather(calls: readonly Call[], contract: Contract, foreign: Pick<Set<Call>, 'has'> = new Set()) {
  const wanted = calls.filter((call) => !mustBeRefused(call));
  const asked = Map.groupBy(wanted, ({ operationId }) => operationId);
  const good = wanted.filter((call) => !foreign.has(call) && readingOf(call).kind === 'good');
  const goodOf = Map.groupBy(good, ({ operationId }) => operationId);
  const rivals = [...asked.keys()].filter((id) => id !== contract.token?.operationId);
  const services = Map.groupBy(rivals, (id) => serviceOf(contract, id));

  const lastAsked = new Map<string, number>();
  for (const call of wanted)
    lastAsked.set(call.operationId, Math.max(lastAsked.get(call.operationId) ?? 0, seqOf(call)));
  const lastGood = new Map<string, number>();

  /** When an operation last answered in its own shape: a notice is no good answer. Zero if never. */
  function lastGoodOf(id: string): number {
    const seq = lastGood.get(id) ?? seqOf(goodOf.get(id)?.findLast((call) => isOwn(call, contract)));
    lastGood.set(id, seq);
    return seq;
  }

  /**
   * The other operations of a service. If it has no other, those of the whole target, under the empty name. Counts
   * operations that were skipped because their service is down.
   *
   * @param isAbsent compares a deprecated form with current operations only: all deprecated forms may be withdrawn at once
   */
  function peersOf(id: string, isAbsent = false): { readonly service: string; readonly ids: readonly string[] } {
    const service = serviceOf(contract, id);
    const onlyCurrent = isAbsent && contract.operation(id)?.successor != null;
    const isPeer = (other: string): boolean =>
      other !== id && !(onlyCurrent && contract.operation(other)?.successor != null);
    const ids = (services.get(service) ?? []).filter(isPeer);
    return ids.length > 0 ? { service, ids } : { service: '', ids: rivals.filter((other) => other !== id) };
  }

  return {
    contract,
    wanted: wanted as readonly Call[],
    /** Operations that were asked, except the token endpoint. */
    rivals: rivals as readonly string[],
    good: good as readonly Call[],
    askedOf: (id: string): readonly Call[] => asked.get(id) ?? [],
    goodOf: (id: string): readonly Call[] => goodOf.get(id) ?? [],
    lastAsked: (id: string): number => lastAsked.get(id) ?? 0,
    peersOf,
    isServed: (ids: readonly string[], after: number): boolean => ids.some((id) => lastGoodOf(id) > after),
  };
}

function isOwn(call: Call, contract: Contract): boolean {
  const operation = contract.operation(call.operationId);
  const last = finalAttempt(call);
  return operation !== undefined && last !== undefined && isOwnAnswer(contract, operation, last);
}

export function sameParameters(call: Pick<Call, 'parameters'>, other: Call): boolean {
  return Object.entries(call.parameters).every(([name, value]) => other.parameters[name] === value);
}
