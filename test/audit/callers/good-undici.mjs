import { Agent, request } from 'undici';
import { bearer } from '../../../src/client/adapters/undici.ts';
import { createTokenProvider } from '../../../src/client/client.ts';
import { base, card, password, run, username } from './program.mjs';

const provider = createTokenProvider({ baseUrl: base, username, password });
const dispatcher = new Agent().compose(bearer(provider));

await run(async () => {
  const { body } = await request(card, { dispatcher });
  await body.dump();
});
await dispatcher.close();
