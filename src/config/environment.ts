import { ToolError } from '../errors.ts';
import { type Variables, variablesOf } from '../model/variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The variables that hold the credentials. */
export type CredentialVariables = Credentials;

/** Credentials of the token endpoint, or null if neither variable is set. An empty variable counts as not set. */
export function credentialsFrom(env: Environment, names: CredentialVariables): Credentials | null {
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

/** The ready bearer token; undefined if its variable is not set. An empty variable counts as not set. */
export function tokenFrom(env: Environment, { token: name }: Pick<Variables, 'token'>): string | undefined {
  const token = env[name] || undefined;
  // RFC 6750, 2.1
  if (token === undefined || /^[\w.~+/-]+=*$/.test(token)) return token;
  throw new ToolError('config', `${name} is no bearer token: it holds a space, a line end or another sign.`, {
    hint: 'Set the token alone, without the word Bearer.',
  });
}

/** Secrets in the variables of the default prefix. Those of another prefix are known when the configuration is read. */
export function secretsFrom(env: Environment): { credentials: Credentials[]; secrets: string[] } {
  const names = variablesOf();
  const password = env[names.password] ?? '';
  const token = env[names.token] ?? '';
  return {
    credentials: password === '' ? [] : [{ username: env[names.username] ?? '', password }],
    secrets: token === '' ? [] : [token],
  };
}
