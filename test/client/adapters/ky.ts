import type { KyInstance } from 'ky';
import ky from 'ky';
import { bearer } from '../../../src/client/adapters/ky.ts';
import type { TokenProvider } from '../../../src/client/client.ts';

export const createApi = (baseUrl: string, provider: TokenProvider): KyInstance =>
  ky.create({ prefix: baseUrl, ...bearer(provider) });
