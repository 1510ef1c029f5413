import type { Effect } from '../contract/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Failures before which the target cannot have read the request. */
const BEFORE_REQUEST = new Set(['refused', 'dns', 'tls', 'connect-timeout']);

/** True where the answer (or its absence) may be a passing trouble: no answer, 408, 429, 5xx, or a 2xx that says nothing. */
export function isWeather(exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === null) return !['aborted', 'too-large'].includes(exchange.failure?.kind ?? '');
  if ([408, 429].includes(response.status) || response.status >= 500) return true;
  if (response.status < 200 || response.status > 299) return false;
  return isBroken(exchange);
}

/** True for a 2xx that says nothing: a page of a gateway, or a body that was cut off or cannot be read. */
export function isBroken(exchange: Exchange): boolean {
  const content = contentOf(exchange);
  // What is beyond our limits will be so again.
  return content.kind === 'html' || (content.kind === 'broken' && !isBeyondLimits(content));
}

/** True where sending it again cannot do twice what should be done once (RFC 9110, 9.2.2). */
export function isRepeatable(exchange: Exchange, effect: Effect): boolean {
  if (effect === 'read' || IDEMPOTENT.has(exchange.request.method)) return true;
  if (exchange.response?.status === 429) return true;
  return exchange.failure !== null && BEFORE_REQUEST.has(exchange.failure.kind);
}

/** Milliseconds before try number `retry` (from 1): doubled each time, with jitter between half and all of it. */
export function backoff(retry: number, base: number, random: () => number): number {
  return base * 2 ** (retry - 1) * (0.5 + random() / 2);
}

/** True where waiting for the answer has cost as much as it may. */
export function isSilence(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'first-byte-timeout' || isUnending(exchange);
}

/** True where an answer began, or might have, and had not ended when the time of a whole call was up. */
export function isUnending(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'call-timeout';
}

/** True where a time ran out, which is how a target looks that has gone silent as a whole. */
export function isHang(exchange: Exchange): boolean {
  return isSilence(exchange) || exchange.failure?.kind === 'connect-timeout';
}
