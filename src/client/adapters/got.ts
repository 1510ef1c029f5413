/** The token client for got: `banking-api-contract/client/got`. */
import type { AccessToken } from '../access-token.ts';
import type { TokenProvider } from '../token-provider.ts';

interface Outgoing {
  url?: unknown;
  headers: Record<string, string | string[] | undefined>;
  context: Record<string, unknown>;
}

interface Answered {
  readonly statusCode: number;
  /** Of the last redirect. */
  readonly url: string;
  readonly request: { readonly options: { readonly context: Record<string, unknown>; readonly isStream?: boolean } };
}

interface Carried {
  headers: Record<string, string>;
  context: Record<string, unknown>;
}

const TOKEN = 'banking-api-contract.token';

/**
 * Options for got: `got.extend({ prefixUrl: baseUrl, ...bearer(provider) })`. Streams (`got.stream`) are not retried:
 * after a 401, the next request has a new token.
 */
export function bearer(provider: TokenProvider) {
  const carry = (token: AccessToken): Carried => ({
    headers: { authorization: `Bearer ${token.value}` },
    context: { [TOKEN]: token },
  });
  const refused = ({ statusCode, url, request }: Answered): AccessToken | undefined => {
    const isOurs = statusCode === 401 && new URL(url).origin === provider.origin;
    return isOurs ? (request.options.context[TOKEN] as AccessToken | undefined) : undefined;
  };
  return {
    hooks: {
      beforeRequest: [
        async (options: Outgoing): Promise<void> => {
          // also called for redirects
          if (new URL(String(options.url)).origin !== provider.origin || options.context[TOKEN]) return;
          const { headers, context } = carry(await provider.getToken());
          Object.assign(options.headers, headers);
          options.context = { ...options.context, ...context };
        },
      ],
      afterResponse: [
        async <R extends Answered>(response: R, retry: (options: Carried) => never): Promise<R> => {
          const token = refused(response);
          if (response.statusCode !== 401) provider.accept?.();
          if (token === undefined) return response;
          provider.invalidate(token);
          const renewed = await provider.getToken();
          // some services issue the same token until it expires
          return renewed.value === token.value ? response : retry(carry(renewed));
        },
      ],
      beforeError: [
        <E extends { readonly response?: Answered | undefined }>(error: E): E => {
          // got calls no `afterResponse` for a stream
          const token = error.response?.request.options.isStream ? refused(error.response) : undefined;
          if (token !== undefined) provider.invalidate(token);
          return error;
        },
      ],
    },
  };
}
