import { sourceOf } from '../responses.ts';
import type { SampleRule } from '../rule.ts';

/** A token that says of itself that it has no lifetime left. No lifetime is expected beyond that: it may be customised. */
export const tokenLifetimeNotPositive: SampleRule = {
  id: 'token-lifetime-not-positive',
  scope: 'sample',
  *judge({ operation, content, status, exchange }, { contract }) {
    if (operation.auth !== 'issues' || content.kind !== 'json') return;
    const lifetime = (content.value as { expires_in?: unknown } | null)?.expires_in;
    if (typeof lifetime !== 'number' || lifetime > 0) return;
    yield {
      operationId: operation.operationId,
      pointer: '/expires_in',
      expected: 'positive integer',
      actual: lifetime === 0 ? 'zero' : 'negative number',
      source: sourceOf(contract, operation, status, 'expires_in'),
      exchanges: [exchange.seq],
    };
  },
};
