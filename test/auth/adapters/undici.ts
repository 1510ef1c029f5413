import { Agent, type Dispatcher } from 'undici';
import { bearer } from '../../../src/auth/adapters/undici.ts';
import type { TokenProvider } from '../../../src/auth/client.ts';

export const createAgent = (provider: TokenProvider): Dispatcher => new Agent().compose(bearer(provider));
