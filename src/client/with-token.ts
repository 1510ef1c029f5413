import type { AccessToken } from './access-token.ts';
import { isRedirect, MAX_REDIRECTS, outgoing, type RequestParts, redirected } from './outgoing.ts';
import { discardBody } from './read-body.ts';
import { TokenError } from './token-error.ts';
import type { TokenProvider } from './token-provider.ts';

/** The fetch that {@link withToken} sends with: the global one, or any that accepts an address and an init. */
export type BaseFetch = (input: string, init: RequestInit) => Promise<Response>;

/**
 * A `fetch` that adds the bearer token. On 401 it gets a new token and sends the same request once more.
 * The second answer is returned with any status. Only the origin of the provider's base URL gets the token.
 * Requests and redirects to other origins are passed on without it.
 *
 * @throws the errors of `fetch`; TokenError if no token can be fetched
 */
export function withToken(fetch: BaseFetch, provider: TokenProvider): typeof globalThis.fetch {
  return async (input, init) => {
    let request = await outgoing(input as string | URL | Request, init);
    const budget = { retry: true };
    try {
      for (let hops = 0; ; hops += 1) {
        const response = await attempt(fetch, provider, request, budget);
        const next = follow(request, response, hops);
        if (next === undefined) return response;
        discardBody(response);
        request = next;
      }
    } finally {
      request.body.release();
    }
  };
}

async function attempt(
  fetch: BaseFetch,
  provider: TokenProvider,
  request: RequestParts,
  budget: { retry: boolean },
): Promise<Response> {
  if (request.url.origin !== provider.origin) return send(fetch, request, undefined);
  const token = await tokenFor(provider, request);
  const first = await send(fetch, request, token);
  if (first.status !== 401) provider.accept?.();
  if (first.status !== 401 || !budget.retry) return first;
  budget.retry = false;
  // another caller may have replaced it already; then this costs no token request
  provider.invalidate(token);
  if (!request.body.replayable) return first;
  const renewed = await tokenFor(provider, request).catch((error: unknown) => {
    discardBody(first);
    throw error;
  });
  // some services issue the same token until it expires
  if (renewed.value === token.value) return first;
  discardBody(first);
  const second = await send(fetch, request, renewed);
  if (second.status !== 401) provider.accept?.();
  return second;
}

async function tokenFor(provider: TokenProvider, { signal }: RequestParts): Promise<AccessToken> {
  try {
    return await provider.getToken({ signal });
  } catch (error) {
    if (signal?.aborted && error instanceof TokenError && error.code === 'aborted') throw signal.reason;
    throw error;
  }
}

function send(fetch: BaseFetch, request: RequestParts, token: AccessToken | undefined): Promise<Response> {
  const { url, method, body, redirect, signal, rest } = request;
  const headers = new Headers(request.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token.value}`);
  const init: RequestInit = { ...rest, method, headers, redirect: redirect === 'follow' ? 'manual' : redirect };
  const content = body.next();
  if (content !== null) init.body = content;
  if (body.isStream) Object.assign(init, { duplex: 'half' });
  if (signal !== undefined) init.signal = signal;
  return fetch(url.href, init);
}

function follow(request: RequestParts, response: Response, hops: number): RequestParts | undefined {
  if (request.redirect !== 'follow') return undefined;
  if (response.type === 'opaqueredirect') {
    throw new TypeError('Redirected, and this platform does not say where to; use redirect: "manual"');
  }
  if (!isRedirect(response)) return undefined;
  if (hops >= MAX_REDIRECTS) throw new TypeError(`More than ${MAX_REDIRECTS} redirects`);
  return redirected(request, response);
}
