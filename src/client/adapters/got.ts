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
  readonly request: { readonly options: { readonly context: Record<string, unknown> } };
}

export interface GotBearer {
  hooks: {
    beforeRequest: ((options: Outgoing) => Promise<void>)[];
    afterResponse: (<R extends Answered>(response: R, retry: (options: Carried) => never) => Promise<R>)[];
  };
}

interface Carried {
  headers: Record<string, string>;
  context: Record<string, unknown>;
}

const TOKEN = 'banking-api-contract.token';

/**
 * Options for got: `got.extend({ prefixUrl: baseUrl, ...bearer(provider) })`. Streams (`got.stream`) are not retried.
 */
export function bearer(provider: TokenProvider): GotBearer {
  const carry = (token: AccessToken): Carried => ({
    headers: { authorization: `Bearer ${token.value}` },
    context: { [TOKEN]: token },
  });
  return {
    hooks: {
      beforeRequest: [
        async (options) => {
          // also called for redirects
          if (new URL(String(options.url)).origin !== provider.origin || options.context[TOKEN]) return;
          const { headers, context } = carry(await provider.getToken());
          Object.assign(options.headers, headers);
          options.context = { ...options.context, ...context };
        },
      ],
      afterResponse: [
        async (response, retry) => {
          const token = response.request.options.context[TOKEN] as AccessToken | undefined;
          if (response.statusCode !== 401 || token === undefined) return response;
          provider.invalidate(token);
          const renewed = await provider.getToken();
          // some services issue the same token until it expires
          return renewed.value === token.value ? response : retry(carry(renewed));
        },
      ],
    },
  };
}
