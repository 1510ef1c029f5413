import type { Credentials } from './mock.ts';

/** What a mock's token endpoint takes unless it was told other credentials. */
export const DEFAULT_CREDENTIALS: Credentials = { username: 'sandbox', password: 'sandbox-secret' };
