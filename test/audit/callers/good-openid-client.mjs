import * as openid from 'openid-client';
import { base, card, createHolder, password, run, username } from './program.mjs';

const server = { issuer: base, token_endpoint: `${base}/iam/oauth/token` };
const config = new openid.Configuration(server, username, password, openid.ClientSecretBasic(password));
openid.allowInsecureRequests(config);
const tokens = createHolder(async () => {
  const answer = await openid.clientCredentialsGrant(config);
  return { value: answer.access_token, expiresIn: answer.expiresIn() };
});

const get = (token) => openid.fetchProtectedResource(config, token, new URL(card), 'GET');
await run(async () => {
  const token = await tokens.get();
  try {
    return await get(token);
  } catch (error) {
    if (error.cause?.status !== 401 && error.status !== 401) throw error;
    tokens.drop(token);
    return get(await tokens.get());
  }
});
