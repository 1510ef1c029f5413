import { sourceOf } from '../responses.ts';
import type { SampleRule } from '../rule.ts';

/** The access token is not a signed JWT. What it says is for the service alone; only its form is looked at. */
export const tokenNotJwt: SampleRule = {
  id: 'token-not-jwt',
  scope: 'sample',
  *judge({ operation, content, status, exchange }, { contract }) {
    if (operation.auth !== 'issues' || contract.token?.isJwt !== true || content.kind !== 'json') return;
    const token = (content.value as { access_token?: unknown } | null)?.access_token;
    if (typeof token !== 'string') return;
    const flaw = flawOf(token);
    if (flaw === null) return;
    yield {
      operationId: operation.operationId,
      pointer: '/access_token',
      expected: 'signed JWT',
      actual: flaw,
      source: sourceOf(contract, operation, status, 'access_token'),
      exchanges: [exchange.seq],
    };
  },
};

/** What keeps a text from being a signed JWT (RFC 7515, 3.1; RFC 7519, 7.2), or null. */
function flawOf(token: string): string | null {
  const parts = token.split('.');
  if (parts.length !== 3) return 'string without three parts';
  const [header, payload] = parts.map(decode);
  if (header == null || payload == null) return 'parts that are no JSON objects';
  if (typeof header.alg !== 'string') return 'a header without alg';
  if (header.alg.toLowerCase() === 'none' || parts[2] === '') return 'an unsigned JWT';
  return /^[A-Za-z0-9_-]+$/.test(parts[2] ?? '') ? null : 'a signature that is not base64url';
}

function decode(part: string): Readonly<Record<string, unknown>> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
