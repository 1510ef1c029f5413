import type { Got } from 'got';
import got from 'got';
import type { AccessToken, TokenProvider } from '../../../src/auth/client.ts';

const carry = (token: AccessToken) => ({ headers: { authorization: `Bearer ${token.value}` }, context: { token } });

export const createApi = (baseUrl: string, provider: TokenProvider): Got =>
  got.extend({
    prefixUrl: baseUrl,
    hooks: {
      beforeRequest: [
        async (options) => {
          // also called for redirects, which may lead elsewhere
          if (new URL(String(options.url)).origin !== provider.origin || options.context.token) return;
          const { headers, context } = carry(await provider.getToken());
          Object.assign(options.headers, headers);
          options.context = { ...options.context, ...context };
        },
      ],
      afterResponse: [
        async (response, retry) => {
          const token = response.request.options.context.token as AccessToken | undefined;
          if (response.statusCode !== 401 || token === undefined) return response;
          provider.invalidate(token);
          return retry(carry(await provider.getToken()));
        },
      ],
    },
  });
