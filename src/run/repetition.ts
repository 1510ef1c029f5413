import type { Contract } from '../contract/contract.ts';
import { serviceOf } from '../contract/services.ts';
import type { MakeCall } from '../egress/caller.ts';
import { isAbsence } from '../egress/retry.ts';
import { type Call, type CallRequest, finalAttempt, isGood, mustBeRefused, type Purpose } from '../model/call.ts';
import { repeatable } from './request.ts';

export function isRead({ operationId }: Call, contract: Contract): boolean {
  return contract.operation(operationId)?.effect === 'read';
}

/** The same request again, outside any check; null unless the operation only reads. */
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
 * Makes calls. If a write is answered with "not found", it repeats a read that worked with the same ids. That read
 * shows whether the operation is gone or the gateway lost its route. The write is not sent twice.
 */
export function withConfirmedAbsence(ask: MakeCall, calls: readonly Call[], contractOf: () => Contract): MakeCall {
  return async (request) => {
    const call = await ask(request);
    const last = finalAttempt(call);
    if (request.effect === 'read' || request.purpose !== 'succeed' || last === undefined || !isAbsence(last))
      return call;
    const contract = contractOf();
    const own = serviceOf(contract, call.operationId);
    const read = calls.findLast(
      (other) =>
        other.purpose === 'succeed' &&
        isGood(other) &&
        isRead(other, contract) &&
        serviceOf(contract, other.operationId) === own &&
        Object.entries(call.parameters).every(([name, value]) => other.parameters[name] === value),
    );
    const again = read && repetitionOf(read, contract);
    if (again) await ask(again);
    return call;
  };
}
