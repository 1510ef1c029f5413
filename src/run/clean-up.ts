import type { Contract } from '../contract/contract.ts';
import { pathParameters } from '../contract/paths.ts';
import type { Made } from '../egress/created.ts';
import { isGood } from '../model/call.ts';
import { reasonText } from '../model/reason.ts';
import type { Created } from '../model/report.ts';
import { destinationOf } from './request.ts';
import type { Session } from './session.ts';

/** The located operation that removes records with an id of this name, and its path parameter for the id, or null. */
export function removalOf(contract: Contract, creates: string | null) {
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
    const id = creation.id === null ? '(unknown)' : session.redact(creation.id);
    all.push({ operationId: operation.operationId, id, removed: left === null, reason: left ?? '' });
  }
  return all;
}

/** Null if the record is gone, else why it is still there. */
async function remove({ target, policy, calls, makeCall }: Session, made: Made, id: string): Promise<string | null> {
  const found = removalOf(target.contract, made.operation.creates);
  if (found === null) return 'no operation that removes it is known';
  const { operation: removal, parameter: name } = found;
  const { operationId, effect, method } = removal;
  if (calls.some((call) => call.operationId === operationId && call.parameters[name] === id && isGood(call)))
    return null;
  if (policy.creations.doubt !== null) return policy.creations.doubt;
  const refusal = policy.refusalOf(removal);
  if (refusal !== null) return reasonText(refusal);
  const known = { ...target.parameters, ...made.parameters, [name]: id };
  const { target: path, headers, parameters } = destinationOf(removal, known);
  if (path === null) return `a parameter of ${operationId} is missing`;
  const call = await makeCall({
    ...{ checkId: null, operationId, effect, headers, body: null, parameters },
    purpose: 'clean-up',
    auth: 'token',
    method: method ?? 'DELETE',
    target: path,
  });
  if (isGood(call)) return null;
  const status = call.attempts.at(-1)?.response?.status;
  // The earlier attempt was carried out after all.
  if (call.attempts.length > 1 && (status === 404 || status === 410)) return null;
  return call.notSent ?? `${operationId} was answered ${status === undefined ? 'by nothing' : `with ${status}`}`;
}
