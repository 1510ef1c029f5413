/** The token client for ky: `banking-api-contract/client/ky`. */
import type { TokenProvider } from '../token-provider.ts';
import { type BaseFetch, withToken } from '../with-token.ts';

/** Options for ky: `ky.create({ prefix: baseUrl, ...bearer(provider) })`. @param fetch the global one by default */
export function bearer(
  provider: TokenProvider,
  fetch: BaseFetch = (url, init) => globalThis.fetch(url, init),
): { readonly fetch: typeof globalThis.fetch } {
  return { fetch: withToken(fetch, provider) };
}
