import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadOptions } from './contract.ts';
import { loadContract } from './load.ts';
import { toJson, toYaml } from './serialize.ts';

/** Writes the bundle as `openapi.json` and `openapi.yaml` into a folder, which is made if it is not there. */
export async function writeBundle(folder: string, options: LoadOptions = {}): Promise<void> {
  const { document } = await loadContract(options);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), toJson(document));
  await writeFile(join(folder, 'openapi.yaml'), toYaml(document));
}
