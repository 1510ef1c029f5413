import type { Exchange } from '../http/exchange.ts';
import { toResponse } from './exchange-fetch.ts';

/**
 * The answer of the token endpoint as the run's own client gets it: without a `scope` or `expires_in` that it would refuse. What they
 * are is the judge's to tell, who has the exchange itself; the token may serve all the same, and the rest of the run with it.
 */
export function toTokenResponse(exchange: Exchange): Response {
  const { response } = exchange;
  const members = response?.status === 200 ? parse(response.body.bytes) : null;
  if (members === null) return toResponse(exchange);
  const { scope, expires_in, ...others } = members;
  const usable = {
    ...others,
    ...(typeof scope === 'string' ? { scope } : {}),
    ...(isLifetime(expires_in) ? { expires_in } : {}),
  };
  if (Object.keys(usable).length === Object.keys(members).length) return toResponse(exchange);
  return new Response(JSON.stringify(usable), toResponse(exchange));
}

/** Seconds; some servers send the number as a string. */
function isLifetime(value: unknown): boolean {
  return Number.isFinite(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value));
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
