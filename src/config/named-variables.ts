import { join } from 'node:path';
import { readPlaced } from '../contract/checked-file.ts';
import { CONFIG, unlessMissing } from '../files/read.ts';
import { DEFAULT_PREFIX } from '../model/variables.ts';
import { CONFIG_FILE } from './chosen-contract.ts';
import { variableOf } from './reference.ts';

/** What the default config file says about variables, for commands that read no other setting. */
export async function variablesIn(cwd: string): Promise<{ prefix: string; named: string[] }> {
  const { value } = await unlessMissing(readPlaced(join(cwd, CONFIG_FILE), CONFIG), { value: {} });
  const { environment } = Object(value) as { readonly environment?: unknown };
  return { prefix: typeof environment === 'string' ? environment : DEFAULT_PREFIX, named: namedIn(value) };
}

/** Every variable that a value refers to. */
function namedIn(value: unknown): string[] {
  if (typeof value === 'string') return [variableOf(value) ?? []].flat();
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namedIn) : [];
}
