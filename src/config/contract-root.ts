import { dirname, join, resolve } from 'node:path';
import { readPlaced } from '../contract/checked-file.ts';
import { CONFIG, unlessMissing } from '../files/read.ts';

export const CONFIG_FILE = 'banking-api.config.yaml';

/** `contractRoot` of the default config file, for commands that need no other setting; undefined if it is missing. */
export async function contractRootOf(cwd: string): Promise<string | undefined> {
  const file = join(cwd, CONFIG_FILE);
  const { value } = await unlessMissing(readPlaced(file, CONFIG), { value: {} });
  const { contractRoot } = value as { readonly contractRoot?: unknown };
  return typeof contractRoot === 'string' ? resolve(dirname(file), contractRoot) : undefined;
}
