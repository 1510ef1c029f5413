import type { Got } from 'got';
import got from 'got';
import { bearer } from '../../../src/auth/adapters/got.ts';
import type { TokenProvider } from '../../../src/auth/client.ts';

export const createApi = (baseUrl: string, provider: TokenProvider): Got =>
  got.extend({ prefixUrl: baseUrl, ...bearer(provider) });
