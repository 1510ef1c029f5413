import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from 'vitest';
import { requireEngine } from '../../src/contract/lint/spectral.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { toJson } from '../../src/generate/serialize.ts';
import { packageRoot } from '../../src/package-root.ts';

const secondApi = await readContractFolder(join(packageRoot, 'examples', 'second-api'));

const documents = [
  { name: 'the published document', options: {} },
  { name: 'the document served by the mock', options: { assumed: true } },
  { name: 'the document of the example', options: { folder: secondApi } },
  { name: 'the document served by a mock of the example', options: { folder: secondApi, assumed: true } },
];

/** Spectral with its own OpenAPI rules only. */
async function errorsOfPlainSpectral(text: string): Promise<object[]> {
  const engine = requireEngine(import.meta.url);
  const spectral = new engine.core.Spectral({ resolver: engine.resolver });
  spectral.setRuleset(await engine.loadRuleset(join(import.meta.dirname, 'plain-spectral.yaml')));
  const results = await spectral.run(new engine.core.Document(text, engine.json, 'openapi.json'));
  return results.filter(({ severity }) => severity === 0);
}

describe.each(documents)('$name', ({ options }) => {
  const load = async () => toJson((await loadContract(options)).document);

  it('swagger-parser accepts the document', async () => {
    await expect(SwaggerParser.validate(JSON.parse(await load()))).resolves.toMatchObject({ openapi: '3.1.1' });
  });

  it('Spectral with default rules finds no error in the document', async () => {
    expect(await errorsOfPlainSpectral(await load())).toEqual([]);
  });
});
