import type { Client } from 'openapi-fetch';
import createClient from 'openapi-fetch';
import type { Operations } from '../../../generated/validators/types.ts';
import { bearer, type PathsOf } from '../../../src/client/adapters/openapi-fetch.ts';
import type { TokenProvider } from '../../../src/client/client.ts';

export type Paths = PathsOf<Operations>;

export const createApi = (baseUrl: string, provider: TokenProvider): Client<Paths> =>
  createClient<Paths>({ baseUrl, ...bearer(provider) });
