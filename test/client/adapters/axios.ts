import type { AxiosInstance } from 'axios';
import axios from 'axios';
import { bearer } from '../../../src/client/adapters/axios.ts';
import type { TokenProvider } from '../../../src/client/client.ts';

export const createApi = (baseURL: string, provider: TokenProvider): AxiosInstance =>
  axios.create({ baseURL, ...bearer(provider) });
