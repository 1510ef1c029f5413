import { isWeather } from '../egress/weather.ts';
import { classify, type Judgement } from '../judge/classify.ts';
import { type Call, finalAttempt, isGood } from '../model/call.ts';
import { repeatable } from './request.ts';
import type { Session } from './session.ts';

/** More failing operations than this are no matter of bad luck. */
const MOST = 5;

/**
 * Asks again, at the end of a run, what failed in it: an operation that answers now was weather. Then one that worked is asked once
 * more where the last thing that is known of the target is a failure, because only an answer after it tells one broken operation
 * from a target that has gone down. Only what reads is asked again.
 */
export async function confirmFailures(session: Session): Promise<void> {
  const failed = new Map(broken(session).map(([call]) => [call.operationId, call]));
  for (const call of [...failed.values()].slice(0, MOST)) await again(session, call);

  const doubtful = broken(session).filter(([, { kind }]) => kind === 'inconclusive');
  if (doubtful.length === 0) return;
  const control = session.calls.findLast(
    (call) =>
      call.purpose === 'succeed' &&
      call.auth !== 'client' &&
      !failed.has(call.operationId) &&
      isGood(call) &&
      reads(session, call),
  );
  if (control !== undefined) await again(session, control);
}

/** Calls that got no usable answer and that no later answer explains. */
function broken({ calls, target }: Session): [Call, Judgement][] {
  return [...classify(calls, target.contract)].filter(([call, { kind }]) => {
    const last = finalAttempt(call);
    return kind !== 'good' && call.notSent === null && last !== undefined && isWeather(last);
  });
}

function reads({ target }: Session, call: Call): boolean {
  return target.contract.operation(call.operationId)?.effect === 'read';
}

/** Makes a call once more, where it only reads and the target still answers; another sample of an answer comes by it too. */
export async function again({ breaker, caller, target }: Session, call: Call): Promise<void> {
  const { operationId, auth, parameters } = call;
  const sent = finalAttempt(call)?.request;
  const operation = target.contract.operation(operationId);
  if (breaker.open !== null || sent === undefined || operation?.effect !== 'read') return;
  await caller.call({
    checkId: null,
    operationId,
    effect: 'read',
    purpose: 'succeed',
    auth,
    method: sent.method,
    target: sent.target,
    headers: repeatable(operation, sent.headers),
    body: sent.body,
    parameters,
  });
}
