import nodeFetch from 'node-fetch';
import { createTokenProvider, withToken } from '../../../src/client/client.ts';
import { base, card, password, run, username } from './program.mjs';

const provider = createTokenProvider({ baseUrl: base, username, password, fetch: nodeFetch });
const api = withToken(nodeFetch, provider);

await run(async () => (await api(card)).text());
