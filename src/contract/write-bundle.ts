import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import type { LoadOptions } from './contract.ts';
import { loadContract } from './load.ts';
import { prepare } from './prepared.ts';
import { toJson, toYaml } from './serialize.ts';

/** Writes the bundle as `openapi.json` and `openapi.yaml` into a folder, which is made if it is not there. */
export async function writeBundle(folder: string, options: LoadOptions = {}): Promise<void> {
  const { document } = await loadContract(options);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), toJson(document));
  await writeFile(join(folder, 'openapi.yaml'), toYaml(document));
}

/**
 * Parses the YAML of the package's contract ahead, so that loading it need not (prepared.ts).
 * @param file Where to write it: {@link preparedFile} is where it is looked for.
 */
export async function writePrepared(file: string): Promise<void> {
  const texts = new Map<string, string>();
  for (const folder of ['spec', 'mocks']) {
    for (const name of (await readdir(join(packageRoot, folder), { recursive: true })).sort()) {
      if (!/\.ya?ml$/.test(name) || /(?:ledger|ruleset)\.yaml$/.test(name)) continue;
      const path = join(packageRoot, folder, name);
      texts.set(path, await readFile(path, 'utf8'));
    }
  }
  await writeFile(file, await prepare(texts));
}
