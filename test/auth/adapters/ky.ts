import type { KyInstance } from 'ky';
import ky from 'ky';
import { type TokenProvider, withToken } from '../../../src/auth/client.ts';

export const createApi = (baseUrl: string, provider: TokenProvider): KyInstance =>
  ky.create({ prefix: baseUrl, fetch: withToken(fetch, provider) });
