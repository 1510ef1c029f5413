/** The token client for axios: `banking-api-contract/client/axios`. */
import type { TokenProvider } from '../token-provider.ts';
import { type BaseFetch, withToken } from '../with-token.ts';

/**
 * Options for axios: `axios.create({ baseURL, ...bearer(provider) })`. It sends through axios' `fetch` adapter.
 *
 * @param fetch sends the requests; the global one by default
 */
export function bearer(
  provider: TokenProvider,
  fetch: BaseFetch = (url, init) => globalThis.fetch(url, init),
): { adapter: 'fetch'; env: { fetch: typeof globalThis.fetch } } {
  return { adapter: 'fetch', env: { fetch: withToken(fetch, provider) } };
}
