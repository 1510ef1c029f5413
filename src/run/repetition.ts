import type { Contract, Operation } from '../contract/contract.ts';
import { serviceOf } from '../contract/services.ts';
import type { MakeCall } from '../egress/caller.ts';
import { isAbsence } from '../egress/retry.ts';
import { type Call, type CallRequest, finalAttempt, isGood, mustBeRefused, type Purpose } from '../model/call.ts';
import { repeatable } from './request.ts';

export function readOf({ operationId }: Call, contract: Contract): Operation | undefined {
  const operation = contract.operation(operationId);
  return operation?.effect === 'read' ? operation : undefined;
}

/** The same request once more, on the account of the run; null for what does more than read. */
export function repetitionOf(call: Call, contract: Contract): CallRequest | null {
  const { operationId, auth, parameters } = call;
  const sent = finalAttempt(call)?.request;
  const operation = contract.operation(operationId);
  if (sent === undefined || operation?.effect !== 'read') return null;
  const purpose: Purpose = mustBeRefused(call) ? call.purpose : 'succeed';
  const { method, target, body } = sent;
  const headers = repeatable(operation, sent.headers);
  return { checkId: null, operationId, effect: 'read', purpose, auth, method, target, headers, body, parameters };
}

/**
 * Makes calls, and after one that changes something and was told that there is nothing, asks a read for the very ids again: only a read
 * that knows them then tells an operation that is gone from a gateway that has lost its way, and the other call is not sent twice.
 */
export function withConfirmedAbsence(ask: MakeCall, calls: readonly Call[], contractOf: () => Contract): MakeCall {
  return async (request) => {
    const call = await ask(request);
    const last = finalAttempt(call);
    if (request.effect === 'read' || request.purpose !== 'succeed' || last === undefined || !isAbsence(last))
      return call;
    const contract = contractOf();
    const own = serviceOf(contract, call.operationId);
    const reads = calls.filter(
      (other) =>
        other.purpose === 'succeed' &&
        isGood(other) &&
        readOf(other, contract) !== undefined &&
        serviceOf(contract, other.operationId) === own &&
        Object.entries(call.parameters).every(([name, value]) => other.parameters[name] === value),
    );
    const again = reads.length === 0 ? null : repetitionOf(reads.at(-1) ?? call, contract);
    if (again !== null) await ask(again);
    return call;
  };
}
