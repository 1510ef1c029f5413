import { type Call, isGood } from '../drift/call.ts';
import { classify } from '../drift/classify.ts';
import { fillPath } from './route.ts';
import type { Session } from './session.ts';

/**
 * Asks an operation that worked once more where the last thing that is known of the target is a failure: only an answer after it
 * tells one broken operation from a target that has gone down.
 */
export async function confirmFailures(session: Session): Promise<void> {
  const { calls, target, caller, breaker } = session;
  if (breaker.open !== null) return;
  const judgements = classify(calls, target.contract);
  const doubtful = [...judgements].filter(
    ([call, judgement]) => judgement.kind === 'inconclusive' && call.notSent === null && isBroken(call),
  );
  if (doubtful.length === 0) return;
  const failing = new Set(doubtful.map(([call]) => call.operationId));
  const control = calls.findLast(
    (call) =>
      call.purpose === 'succeed' &&
      call.operationId !== 'getToken' &&
      !failing.has(call.operationId) &&
      isGood(call) &&
      target.contract.operation(call.operationId)?.effect === 'read',
  );
  const operation = control === undefined ? undefined : target.contract.operation(control.operationId);
  const path = operation?.path == null ? null : fillPath(operation.path, control?.parameters ?? {});
  const sent = control?.attempts.at(-1)?.request;
  if (operation?.method == null || path === null || sent === undefined) return;
  await caller.call({
    checkId: null,
    operationId: operation.operationId,
    effect: operation.effect,
    purpose: 'succeed',
    auth: 'token',
    method: operation.method,
    target: path,
    headers: sent.headers.filter(([name]) => ['accept', 'content-type'].includes(name)),
    body: sent.body,
    parameters: control?.parameters ?? {},
  });
}

function isBroken(call: Call): boolean {
  const last = call.attempts.at(-1);
  if (last === undefined) return false;
  return last.response === null || last.response.status >= 500 || last.response.body.state !== 'complete';
}
