import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { packageRoot } from '../../src/package-root.ts';
import { failure, folderWith, overlay } from './support.ts';

const SPEC = `openapi: 3.1.1
info: { title: T, version: '1' }
paths:
  /weather:
    get: { operationId: readWeather, tags: [A], x-effect: read, security: [], responses: { '200': { description: D } } }
`;
const ASSUMED = overlay('assumed', "  - target: $.paths['/weather'].get\n    update: { summary: Guessed }\n").text;

/** A folder with a minimal contract. */
async function small(spec: string = SPEC): Promise<string> {
  const dir = await folderWith({ 'contract.yaml': 'contract: 1\nname: small\n' });
  await mkdir(join(dir, 'spec'));
  await writeFile(join(dir, 'spec/openapi.yaml'), spec);
  return dir;
}

describe('contract folders', () => {
  test('a contract folder needs only contract.yaml and a spec', async () => {
    const folder = await readContractFolder(await small());
    const contract = await loadContract({ folder, assumed: true });
    expect(contract.operations.map(({ operationId }) => operationId)).toEqual(['readWeather']);
    expect(contract.folder).toBe(folder);
  });

  test('the assumptions of a folder load only on request, below the overlays', async () => {
    const dir = await small();
    await mkdir(join(dir, 'mocks'));
    await writeFile(join(dir, 'mocks/assumptions.overlay.yaml'), ASSUMED);
    const folder = await readContractFolder(dir);
    const summary = async (options: object) =>
      (await loadContract({ folder, ...options })).operation('readWeather')?.summary;
    expect(await summary({})).not.toBe('Guessed');
    expect(await summary({ assumed: true })).toBe('Guessed');
    const seen = overlay('observed', "  - target: $.paths['/weather'].get\n    update: { summary: Seen }\n");
    expect(await summary({ assumed: true, overlays: [seen] })).toBe('Seen');
  });

  test('messages name files of a folder by relative path, for any location of the folder', async () => {
    const folder = await readContractFolder(await small());
    expect((await loadContract({ folder })).placeOf('/paths/~1weather/get')).toMatchObject({
      file: 'spec/openapi.yaml',
      line: 5,
    });
    const broken = await readContractFolder(await small(SPEC.replace('openapi: 3.1.1', 'openapi: 2')));
    expect(await failure(loadContract({ folder: broken }))).toMatchObject({
      code: 'spec-invalid',
      place: { file: 'spec/openapi.yaml', line: 1 },
    });
  });

  test('overlays in a folder may extend its own spec, but not the packaged one', async () => {
    const dir = await small();
    const folder = await readContractFolder(dir);
    const extending = (path: string) => ({
      file: join(dir, 'o.yaml'),
      text: ASSUMED.replace('actions:', `extends: ${path}\nactions:`),
    });
    await loadContract({ folder, overlays: [extending('spec/openapi.yaml')] });
    expect(await failure(loadContract({ folder, overlays: [extending(ownFolder.spec)] }))).toMatchObject({
      code: 'overlay-invalid',
    });
  });

  test('a folder without contract.yaml is reported, and a wrong contract.yaml with its place', async () => {
    expect(await failure(readContractFolder('/nowhere'))).toMatchObject({ code: 'file-missing', exitCode: 2 });
    const dir = await folderWith({ 'contract.yaml': 'contract: 1\nname: small\nsepc: a.yaml\n' });
    expect(await failure(readContractFolder(dir))).toMatchObject({
      code: 'spec-invalid',
      exitCode: 3,
      place: { line: 3, column: 1 },
    });
  });

  test('a document that is too large is reported with its size, the limit and the setting', async () => {
    const dir = await small();
    const file = join(dir, 'contract.yaml');
    await writeFile(file, 'contract: 1\nname: small\nmaxValues: 5\n');
    expect(await failure(loadContract({ folder: await readContractFolder(dir) }))).toMatchObject({
      code: 'spec-invalid',
      message: expect.stringMatching(/^The document is too large: it has about 1\d values, and the limit is 5\.$/),
      hint: 'Set maxValues in contract.yaml to a higher number.',
    });
    await writeFile(file, 'contract: 1\nname: small\nmaxValues: 50\n');
    expect((await loadContract({ folder: await readContractFolder(dir) })).operations).toHaveLength(1);
  });

  test('the packaged folder is the default, and reads like any other if it is named', async () => {
    expect((await loadContract()).folder).toBe(ownFolder);
    const { assumed, rules, spec } = await readContractFolder(packageRoot);
    expect({ assumed, rules, spec }).toEqual({
      assumed: ownFolder.assumed,
      rules: ownFolder.rules,
      spec: ownFolder.spec,
    });
  });
});
