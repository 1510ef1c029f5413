import type { Contract, Operation } from '../contract/contract.ts';
import { pathParameters } from '../contract/paths.ts';
import type { Creation } from '../egress/created.ts';
import { isGood } from '../model/call.ts';
import type { Created } from '../model/report.ts';
import { destinationOf } from './request.ts';
import type { Session } from './session.ts';

/** Something that a run made, and the path parameters that it was made under. */
export interface Making {
  readonly operation: Operation;
  readonly creation: Creation;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Stands in the report where nobody can tell the id. */
const UNKNOWN = '(unknown)';

/** The located operation that takes back what goes by an id of this name, and the path parameter that names it; null where there is none. */
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
 * Takes back what the run created, where the API has a way and the policy lets it through, and tells of each thing what became of it.
 * What the embedded mock made is gone with it.
 */
export async function cleanUp(session: Session): Promise<Created[]> {
  if (session.target.embedded) return [];
  const all: Created[] = [];
  for (const making of session.made) {
    const { operation, creation } = making;
    const { operationId } = operation;
    if (creation.id === null) {
      all.push({ operationId, id: UNKNOWN, removed: false, reason: session.redactor.text(creation.reason) });
      continue;
    }
    const left = await remove(session, making, creation.id);
    all.push({ operationId, id: session.redactor.text(creation.id), removed: left === null, reason: left ?? '' });
  }
  return all;
}

/** Null where it is gone, else why it is still there. */
async function remove(session: Session, making: Making, id: string): Promise<string | null> {
  const { target, policy, breaker, calls } = session;
  const found = removalOf(target.contract, making.operation.creates);
  if (found === null) return 'no operation that removes it is known';
  const { operation: removal, parameter: name } = found;
  if (calls.some((call) => call.operationId === removal.operationId && call.parameters[name] === id && isGood(call)))
    return null;
  const refusal = policy.refusalOf(removal);
  if (refusal !== null) return refusal;
  if (breaker.open !== null) return breaker.open;
  return send(session, removal, { ...target.parameters, ...making.parameters, [name]: id });
}

async function send(
  { caller }: Session,
  removal: Operation,
  values: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { target, headers, parameters } = destinationOf(removal, values);
  if (target === null) return `a parameter of ${removal.operationId} is missing`;
  const call = await caller.call({
    checkId: null,
    operationId: removal.operationId,
    effect: removal.effect,
    // Not judged: what it removes may have gone already, with what it was part of.
    purpose: 'client',
    auth: 'token',
    method: removal.method ?? 'DELETE',
    target,
    headers,
    body: null,
    parameters,
  });
  if (isGood(call)) return null;
  const status = call.attempts.at(-1)?.response?.status;
  // The try before was carried out after all.
  if (call.attempts.length > 1 && (status === 404 || status === 410)) return null;
  return (
    call.notSent ?? `${removal.operationId} was answered ${status === undefined ? 'by nothing' : `with ${status}`}`
  );
}
