import { join } from 'node:path';
import { readPlaced } from '../contract/checked-file.ts';
import { CONFIG, unlessMissing } from '../files/read.ts';
import { DEFAULT_PREFIX, type Variables, variablesOf } from '../model/variables.ts';
import { CONFIG_FILE } from './chosen-contract.ts';
import type { Environment } from './environment.ts';
import type { ConfigFile } from './file.ts';
import { variableOf } from './reference.ts';

/** The variables that a configuration names, else those of its prefix. */
export function variablesFor({ environment, credentials }: Pick<ConfigFile, 'environment' | 'credentials'>): Variables {
  const usual = variablesOf(environment);
  return {
    ...usual,
    username: variableOf(credentials?.username ?? '') ?? usual.username,
    password: variableOf(credentials?.password ?? '') ?? usual.password,
  };
}

/** What the default config file says about variables, for commands that read no other setting. */
export async function variablesIn(cwd: string): Promise<{ prefix: string; named: string[] }> {
  const value = await defaultConfig(cwd);
  const { environment } = value;
  return { prefix: typeof environment === 'string' ? environment : DEFAULT_PREFIX, named: namedIn(value) };
}

/** Values of the environment that the default config file makes secrets; none if it cannot be read. */
export async function secretsByConfig(cwd: string, env: Environment): Promise<string[]> {
  try {
    const value = (await defaultConfig(cwd)) as ConfigFile;
    const { username, password, token } = variablesFor(value);
    const { credentials: _, ...rest } = value;
    const secrets = [password, token, ...namedIn(rest)].flatMap((name) => env[name] || []);
    return env[password] ? [...secrets, `${env[username] ?? ''}:${env[password]}`] : secrets;
  } catch {
    // a command that needs the file reports its mistakes
    return [];
  }
}

async function defaultConfig(cwd: string): Promise<{ readonly environment?: unknown }> {
  const { value } = await unlessMissing(readPlaced(join(cwd, CONFIG_FILE), CONFIG), { value: {} });
  return Object(value);
}

/** Every variable that a value refers to. */
function namedIn(value: unknown): string[] {
  if (typeof value === 'string') return [variableOf(value) ?? []].flat();
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namedIn) : [];
}
