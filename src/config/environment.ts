import { ToolError } from '../errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const VARIABLES = {
  baseUrl: 'BANKING_API_BASE_URL',
  username: 'BANKING_API_USERNAME',
  password: 'BANKING_API_PASSWORD',
} as const;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The variables that hold the credentials. */
export type CredentialVariables = Credentials;

/** Credentials of the token endpoint, or null if neither variable is set. An empty variable counts as not set. */
export function credentialsFrom(env: Environment, names: CredentialVariables = VARIABLES): Credentials | null {
  const username = env[names.username] || undefined;
  const password = env[names.password] || undefined;
  if (username === undefined && password === undefined) return null;
  if (username === undefined || password === undefined) {
    const [set, missing] = username === undefined ? [names.password, names.username] : [names.username, names.password];
    throw new ToolError('config', `${set} is set, but ${missing} is not.`, { hint: 'Set both.' });
  }
  for (const name of [names.username, names.password]) {
    if (!/\p{Cc}/u.test(env[name] ?? '')) continue;
    const message = `${name} holds a line end or another control character, which HTTP Basic cannot carry.`;
    throw new ToolError('config', message, { hint: 'A line end comes along where a secret is read from a file.' });
  }
  // RFC 7617: the first colon ends the name
  if (username.includes(':')) {
    throw new ToolError('config', `${names.username} holds a colon, which HTTP Basic cannot carry in a name.`);
  }
  return { username, password };
}

export function secretsFrom(env: Environment): { credentials: Credentials[] } {
  const username = env[VARIABLES.username] ?? '';
  const password = env[VARIABLES.password] ?? '';
  return { credentials: password === '' ? [] : [{ username, password }] };
}
