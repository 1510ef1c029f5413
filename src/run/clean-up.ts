import type { Contract, Operation } from '../contract/contract.ts';
import { pathParameters } from '../contract/paths.ts';
import type { Made } from '../egress/created.ts';
import { isGood } from '../model/call.ts';
import { reasonText } from '../model/reason.ts';
import type { Created } from '../model/report.ts';
import { destinationOf, type Values } from './request.ts';
import type { Session } from './session.ts';

const UNKNOWN = '(unknown)';

/** The located operation that removes records with an id of this name, and its path parameter for the id, or null. */
export function removalOf(
  contract: Contract,
  creates: string | null,
): { operation: Operation; parameter: string } | null {
  const operation = contract.operations.find(
    ({ removes, path }) => path !== null && removes !== null && removes === creates,
  );
  const parameters = pathParameters(operation?.path ?? '');
  const parameter = parameters.find((name) => name === creates) ?? parameters.at(-1);
  return operation === undefined || parameter === undefined ? null : { operation, parameter };
}

/**
 * Removes the records that the run created, if the API and the policy allow it. Returns the outcome for each record.
 * Records in the embedded mock disappear with it.
 */
export async function cleanUp(session: Session): Promise<Created[]> {
  if (session.target.embedded) return [];
  const all: Created[] = [];
  for (const made of session.policy.creations.made) {
    const { operation, creation } = made;
    const left = creation.id === null ? session.redact(creation.reason) : await remove(session, made, creation.id);
    const id = creation.id === null ? UNKNOWN : session.redact(creation.id);
    all.push({ operationId: operation.operationId, id, removed: left === null, reason: left ?? '' });
  }
  return all;
}

/** Null if the record is gone, else why it is still there. */
async function remove(session: Session, made: Made, id: string): Promise<string | null> {
  const { target, policy, breaker, calls } = session;
  const found = removalOf(target.contract, made.operation.creates);
  if (found === null) return 'no operation that removes it is known';
  const { operation: removal, parameter: name } = found;
  if (calls.some((call) => call.operationId === removal.operationId && call.parameters[name] === id && isGood(call)))
    return null;
  if (policy.creations.doubt !== null) return policy.creations.doubt;
  const refusal = policy.refusalOf(removal);
  if (refusal !== null) return reasonText(refusal);
  if (breaker.open !== null) return breaker.open;
  return callRemoval(session, removal, { ...target.parameters, ...made.parameters, [name]: id });
}

async function callRemoval({ makeCall }: Session, removal: Operation, values: Values): Promise<string | null> {
  const { operationId, effect } = removal;
  const { target, headers, parameters } = destinationOf(removal, values);
  if (target === null) return `a parameter of ${operationId} is missing`;
  const call = await makeCall({
    checkId: null,
    operationId,
    effect,
    purpose: 'clean-up',
    auth: 'token',
    method: removal.method ?? 'DELETE',
    target,
    headers,
    body: null,
    parameters,
  });
  if (isGood(call)) return null;
  const status = call.attempts.at(-1)?.response?.status;
  // The earlier attempt was carried out after all.
  if (call.attempts.length > 1 && (status === 404 || status === 410)) return null;
  return call.notSent ?? `${operationId} was answered ${status === undefined ? 'by nothing' : `with ${status}`}`;
}
