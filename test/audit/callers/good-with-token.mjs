import { createTokenProvider, withToken } from '../../../src/client/client.ts';
import { base, card, password, run, username } from './program.mjs';

const api = withToken((url, init) => fetch(url, init), createTokenProvider({ baseUrl: base, username, password }));
await run(() => api(card));
