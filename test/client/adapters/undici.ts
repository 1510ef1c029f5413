import { Agent, type Dispatcher } from 'undici';
import { bearer } from '../../../src/client/adapters/undici.ts';
import type { TokenProvider } from '../../../src/client/client.ts';

export const createAgent = (provider: TokenProvider): Dispatcher => new Agent().compose(bearer(provider));
