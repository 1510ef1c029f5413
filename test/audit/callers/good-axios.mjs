import axios from 'axios';
import { base, card, createHolder, password, run, username } from './program.mjs';

const tokens = createHolder(async () => {
  const { data } = await axios.post(`${base}/iam/oauth/token`, 'grant_type=client_credentials', {
    auth: { username, password },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return { value: data.access_token, expiresIn: data.expires_in };
});
const api = axios.create();
api.interceptors.request.use(async (request) => {
  request.token = await tokens.get();
  request.headers.set('authorization', `Bearer ${request.token}`);
  return request;
});
api.interceptors.response.use(undefined, (error) => {
  const request = error.config;
  if (error.response?.status !== 401 || request.again) throw error;
  tokens.drop(request.token);
  return api.request({ ...request, again: true });
});

await run(() => api.get(card));
