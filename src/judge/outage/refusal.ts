import type { Contract } from '../../contract/contract.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, isGood, mustBeRefused, type Purpose } from '../../model/call.ts';
import { is2xx } from '../../model/exchange.ts';
import { contentOf, jsonIn, limitOf } from '../../model/media.ts';
import type { Reason } from '../../model/reason.ts';
import { inconclusive, type Rejection } from '../judgement.ts';
import { seqOf } from './evidence.ts';
import { foreignAnswers, isNoticeToAll } from './foreign.ts';
import { isPage, readingOf, reasonToWait } from './reading.ts';

export function refusals(
  calls: readonly Call[],
  contract: Contract,
  foreign: ReadonlyMap<Call, Reason> = foreignAnswers(calls, contract),
): Map<Call, Rejection> {
  const good = calls.filter(
    (call) => call.purpose === 'succeed' && !foreign.has(call) && readingOf(call).kind === 'good',
  );
  const served = new Set(good.map(({ operationId }) => operationId));
  // HTML in place of a good answer comes from a gateway, not from a login
  const isOfGateway = calls.some((call) => call.purpose === 'succeed' && isPage(call));
  return new Map(calls.filter(mustBeRefused).map((call) => [call, rejectionOf(call)]));

  function rejectionOf(call: Call): Rejection {
    const strange = foreign.get(call);
    if (strange !== undefined) return inconclusive(strange);
    const isServed = served.has(call.operationId);
    const own = calls.filter((other) => isRepeat(other, call));
    const last = own.at(-1);
    const repeated = last && refusalOf(last, isServed);
    const answer = repeated?.kind === 'refused' ? repeated : refusalOf(call, isServed);
    if (answer.kind === 'accepted' && isNoticeToAll(call, calls, contract))
      return unproven(answer.actual, 'notice-to-all');
    if (answer.kind !== 'otherwise') return answer;
    const { actual } = answer;
    if (isOfGateway && actual.endsWith(WITH_HTML)) return unproven(actual, 'html-to-all');
    if (timesOf(actual, call, calls) < 2) return inconclusive({ kind: 'not-confirmed', answer: actual, how: 'asked' });
    return isServedAfter(own, good, contract) ? answer : unproven(actual, 'not-served-later');
  }
}

const WITH_HTML = ' with HTML';

/** Without a later good answer of the service, an outage may have begun before these calls. */
function isServedAfter(calls: readonly Call[], good: readonly Call[], contract: Contract): boolean {
  const services = new Set(calls.map(({ operationId }) => serviceOf(contract, operationId)));
  const reads = good.filter(({ operationId }) => {
    const operation = contract.operation(operationId);
    return operation?.effect === 'read' && operation.auth !== 'issues';
  });
  const peers = reads.filter(({ operationId }) => services.has(serviceOf(contract, operationId)));
  const last = Math.max(...calls.map(seqOf));
  return (peers.length > 0 ? peers : reads).some((call) => seqOf(call) > last);
}

function timesOf(actual: string, { operationId, purpose }: Call, calls: readonly Call[]): number {
  const alike = calls.filter((other) => {
    if (other.operationId !== operationId || other.purpose !== purpose) return false;
    const answer = refusalOf(other, true);
    return answer.kind === 'otherwise' && answer.actual === actual;
  });
  return alike.length;
}

const MAY_BE_ASKED_AGAIN: readonly Purpose[] = ['refuse-token', 'refuse-method'];

function isRepeat(other: Call, call: Call): boolean {
  return (
    other.purpose === call.purpose &&
    other.operationId === call.operationId &&
    other.auth === call.auth &&
    (MAY_BE_ASKED_AGAIN.includes(call.purpose) || other === call)
  );
}

/**
 * Judges the answer to one `refuse-…` call.
 *
 * @param served whether the operation served a good request in this run; otherwise a 4xx proves nothing
 */
export function refusalOf(call: Call, served: boolean): Rejection {
  const last = finalAttempt(call);
  if (call.notSent !== null || last?.response == null) {
    const cause = call.notSent ?? last?.failure?.message ?? 'nothing was sent';
    return inconclusive({ kind: 'not-answered', cause });
  }
  const { status } = last.response;
  if (is2xx(status)) return acceptance(call, status, served);
  if (status === 429 || status === 408 || status >= 500) {
    const unknownMethod = call.purpose === 'refuse-method' && status === 501;
    return unknownMethod ? { kind: 'refused' } : inconclusive(reasonToWait(call));
  }
  if (call.purpose === 'refuse-asserted') return { kind: 'refused' };
  // Usually a redirect to a login instead of the rejection.
  if (status < 400 && (call.purpose !== 'refuse-token' || status === 304)) {
    return inconclusive({ kind: 'redirected', status, host: '' });
  }
  switch (call.purpose) {
    case 'refuse-token':
      if (status === 401) return { kind: 'refused' };
      return served ? { kind: 'otherwise', actual: String(status) } : unproven(`${status}`, 'not-served');
    case 'refuse-limit':
    case 'refuse-precondition':
      if (served && status !== 401 && status !== 404) return { kind: 'refused' };
      return unproven(`${status}`, 'other-reason');
    case 'refuse-method':
      return status === 401 ? unproven(`${status}`, 'fresh-token') : { kind: 'refused' };
    default:
      return { kind: 'refused' };
  }
}

type Unproven = Extract<Reason, { readonly kind: 'rejection-unproven' }>;

function unproven(actual: string, doubt: Unproven['doubt']): Rejection {
  return inconclusive({ kind: 'rejection-unproven', actual, doubt });
}

function acceptance(call: Call, status: number, served: boolean): Rejection {
  const last = finalAttempt(call);
  const content = last === undefined ? { kind: 'empty' as const } : contentOf(last);
  if (content.kind === 'html') {
    const actual = `${status}${WITH_HTML}`;
    // A login page, although the operation itself sends something else.
    if (served && call.purpose === 'refuse-token') return { kind: 'otherwise', actual };
    return unproven(actual, 'html');
  }
  const limit = limitOf(content, last);
  if (limit !== null) return inconclusive({ kind: 'body-limit', limit });
  if (!isGood(call) || content.kind === 'broken') return unproven(`${status}`, 'incomplete');
  if (call.purpose === 'refuse-credentials' || call.purpose === 'refuse-grant') {
    const { access_token: token } = Object(jsonIn(last)) as { readonly access_token?: unknown };
    if (typeof token !== 'string') return { kind: 'refused' };
    return { kind: 'accepted', actual: `${status} with a token` };
  }
  return { kind: 'accepted', actual: String(status) };
}
