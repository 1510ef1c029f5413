import type { AxiosInstance } from 'axios';
import axios from 'axios';
import { type TokenProvider, withToken } from '../../../src/auth/client.ts';

export const createApi = (baseURL: string, provider: TokenProvider): AxiosInstance =>
  axios.create({ baseURL, adapter: 'fetch', env: { fetch: withToken(fetch, provider) } });
