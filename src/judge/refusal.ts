import { type Call, finalAttempt, isGood } from '../model/call.ts';
import { contentOf, limitOf } from '../model/media.ts';
import { reasonToWait } from '../net/asked-to-wait.ts';

/** What came of a request that must not be served. */
export type Refusal =
  | { readonly kind: 'refused' }
  | { readonly kind: 'accepted'; readonly actual: string }
  | { readonly kind: 'otherwise'; readonly actual: string }
  | { readonly kind: 'inconclusive'; readonly reason: string };

/**
 * Judges the answer to a call of a `refuse-…` purpose.
 *
 * @param served whether the same operation served a good request in this run: without that, a 4xx proves nothing
 */
export function refusalOf(call: Call, served: boolean): Refusal {
  const last = finalAttempt(call);
  if (call.notSent !== null || last?.response == null) {
    return { kind: 'inconclusive', reason: call.notSent ?? last?.failure?.message ?? 'nothing was sent' };
  }
  const { status } = last.response;
  if (status >= 200 && status < 300) return acceptance(call, status);
  if (status === 429 || status === 408 || status >= 500) {
    const unknownMethod = call.purpose === 'refuse-method' && status === 501;
    return unknownMethod ? { kind: 'refused' } : { kind: 'inconclusive', reason: reasonToWait(call) };
  }
  if (status < 400) return { kind: 'inconclusive', reason: `it redirects (${status})` };
  switch (call.purpose) {
    case 'refuse-token':
      if (status === 401) return { kind: 'refused' };
      return served
        ? { kind: 'otherwise', actual: String(status) }
        : { kind: 'inconclusive', reason: `answered ${status}, and no good request was served` };
    case 'refuse-limit':
    case 'refuse-precondition':
      if (served && status !== 401 && status !== 404) return { kind: 'refused' };
      return { kind: 'inconclusive', reason: `answered ${status}, and whether for this reason cannot be told` };
    case 'refuse-method':
      return status === 401 ? { kind: 'inconclusive', reason: '401 with a fresh token' } : { kind: 'refused' };
    default:
      return { kind: 'refused' };
  }
}

function acceptance(call: Call, status: number): Refusal {
  const last = finalAttempt(call);
  const content = last === undefined ? { kind: 'empty' as const } : contentOf(last);
  if (content.kind === 'html') return { kind: 'inconclusive', reason: `answered ${status} with HTML` };
  const limit = limitOf(content, last);
  if (limit !== null) return { kind: 'inconclusive', reason: `the body ${limit}` };
  if (!isGood(call) || content.kind === 'broken') return { kind: 'inconclusive', reason: 'the body is incomplete' };
  if (call.purpose === 'refuse-credentials' || call.purpose === 'refuse-grant') {
    const token =
      content.kind === 'json' && typeof content.value === 'object' && content.value !== null
        ? (content.value as Readonly<Record<string, unknown>>).access_token
        : undefined;
    if (typeof token !== 'string') return { kind: 'refused' };
    return { kind: 'accepted', actual: `${status} with a token` };
  }
  return { kind: 'accepted', actual: String(status) };
}
