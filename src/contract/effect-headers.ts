import type { Operation } from './contract.ts';

/** Headers by which a write asks for a guarantee, with their source. Tracing, content and caching need no document. */
export const EFFECT_HEADERS: Readonly<Record<string, string>> = {
  'idempotency-key': 'draft-ietf-httpapi-idempotency-key-header',
  'x-idempotency-key': 'Open Banking UK, Read/Write Data API',
  'if-match': 'RFC 9110, 13.1.1',
  'if-none-match': 'RFC 9110, 13.1.2',
  'if-unmodified-since': 'RFC 9110, 13.1.4',
};

/** The {@link EFFECT_HEADERS} that a write may not rely on, because no document of the contract names them. */
export function headersWithoutEffect({ method, parameters }: Pick<Operation, 'method' | 'parameters'>): string[] {
  if (method === null || method === 'GET' || method === 'HEAD') return [];
  const known = new Set(parameters.flatMap((one) => (one.in === 'header' ? [one.name.toLowerCase()] : [])));
  return Object.keys(EFFECT_HEADERS).filter((name) => !known.has(name));
}
