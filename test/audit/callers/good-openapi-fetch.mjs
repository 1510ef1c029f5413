import createClient from 'openapi-fetch';
import { bearer } from '../../../src/client/adapters/openapi-fetch.ts';
import { createTokenProvider } from '../../../src/client/client.ts';
import { base, password, run, username } from './program.mjs';

const provider = createTokenProvider({ baseUrl: base, username, password });
const api = createClient({ baseUrl: base, ...bearer(provider) });

await run(() =>
  api.GET('/wallet/api/customers/{customerId}/cards/{cardId}', {
    params: { path: { customerId: 'c1', cardId: 'k1' } },
  }),
);
