import got from 'got';
import { card, createHolder, fetchToken, run } from './program.mjs';

const tokens = createHolder(fetchToken);
const api = got.extend({
  throwHttpErrors: false,
  hooks: {
    beforeRequest: [
      async (options) => {
        options.headers.authorization ??= `Bearer ${await tokens.get()}`;
      },
    ],
    afterResponse: [
      async (response, retryWithMergedOptions) => {
        if (response.statusCode !== 401) return response;
        tokens.drop(String(response.request.options.headers.authorization).slice('Bearer '.length));
        return retryWithMergedOptions({ headers: { authorization: `Bearer ${await tokens.get()}` } });
      },
    ],
  },
});

await run(() => api(card));
