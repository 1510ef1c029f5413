import { ClientCredentials } from 'simple-oauth2';
import { base, card, createHolder, password, run, username } from './program.mjs';

const client = new ClientCredentials({
  client: { id: username, secret: password },
  auth: { tokenHost: base, tokenPath: '/iam/oauth/token' },
});
const tokens = createHolder(async () => {
  const { token } = await client.getToken({});
  return { value: token.access_token, expiresIn: token.expires_in };
});

await run(async () => {
  const token = await tokens.get();
  const get = (value) => fetch(card, { headers: { authorization: `Bearer ${value}` } });
  const first = await get(token);
  if (first.status !== 401) return first;
  await first.body?.cancel();
  tokens.drop(token);
  return get(await tokens.get());
});
