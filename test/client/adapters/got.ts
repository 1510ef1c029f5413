import type { Got } from 'got';
import got from 'got';
import { bearer } from '../../../src/client/adapters/got.ts';
import type { TokenProvider } from '../../../src/client/client.ts';

export const createApi = (baseUrl: string, provider: TokenProvider): Got =>
  got.extend({ prefixUrl: baseUrl, ...bearer(provider) });
