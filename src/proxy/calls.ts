import type { Contract, Operation } from '../contract/contract.ts';
import type { Reached } from '../contract/paths.ts';
import { reachOf } from '../egress/policy.ts';
import type { Auth, Call, Purpose } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';

/** The operation of a request; null if the contract has no match. HEAD counts as GET. */
export function locate(contract: Contract, method: string, target: string): Reached | null {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = reachOf(contract)(target)?.find(({ operation }) => operation.method === wanted);
  if (found === undefined) return null;
  // The next server may read this path as a different one.
  const unclear = Object.values(found.pathParameters).some((value) => /^\.{1,2}$|[/\\]/.test(value));
  return unclear ? null : found;
}

/**
 * An exchange as the rules expect it: one call with one attempt.
 *
 * The proxy can only guess the purpose of a request, which decides how its answer is judged. A request without a token
 * must be rejected; any other request should succeed. Only the content is judged if the status may be the request's own
 * fault, or if the request asked for an unusual answer.
 */
export function callOf(exchange: Exchange, reached: Reached, contract: Contract): Call {
  const { operation, pathParameters: parameters } = reached;
  const { operationId } = operation;
  const auth = authOf(exchange, operation);
  const purpose = purposeOf(exchange, auth, operation, contract);
  return { checkId: null, operationId, purpose, auth, parameters, attempts: [exchange], notSent: null };
}

function authOf({ request }: Exchange, operation: Operation): Auth {
  if (operation.auth === 'issues') return 'client';
  const value = header(request.headers, 'authorization') ?? '';
  return /^bearer\s+\S/i.test(value) ? 'token' : 'none';
}

/** Fields that ask for an unusual answer. */
const CONDITION = /^(?:if-.+|range|prefer)$/;
/** Statuses that depend on the operation rather than on the request. */
const OF_THE_OPERATION = new Set([401, 405, 410]);

function purposeOf({ request, response }: Exchange, auth: Auth, operation: Operation, contract: Contract): Purpose {
  if (request.method === 'HEAD') return 'caller';
  if (request.headers.some(([name]) => CONDITION.test(name))) return 'caller';
  if (operation.auth === 'bearer' && auth === 'none') return 'refuse-token';
  const status = response?.status ?? 0;
  if (status < 400 || status >= 500 || OF_THE_OPERATION.has(status)) return 'succeed';
  // With a recording, a 4xx would count as a changed status. A proxy cannot assume that the request was good.
  const isRecorded = operation.responses.some(
    ({ status: stated, pointer }) => /^2\d\d$/.test(stated) && contract.provenanceOf(pointer) !== 'documented',
  );
  return isRecorded ? 'caller' : 'succeed';
}
