import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { documentFolder } from '../../src/contract/document-folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { fakeIo } from '../cli/io.ts';
import { failure, folderWith } from './support.ts';

const PETS = `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200': { description: Pets, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
components:
  schemas:
    Pet: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string, nullable: true } } }
`;

describe('one document as a contract', () => {
  test('everything in the document is documented, and findings name its file and line', async () => {
    const folder = documentFolder(join(await folderWith({ 'api.yaml': PETS }), 'api.yaml'));
    const contract = await loadContract({ folder, assumed: true });
    expect(contract.operation('listPets')?.located).toBe('documented');
    expect(contract.placeOf('/paths/~1pets/get')).toMatchObject({ file: 'api.yaml', line: 5 });
  });

  test('keywords of OpenAPI 3.0 are no remark in a document of OpenAPI 3.0', async () => {
    const folder = documentFolder(join(await folderWith({ 'api.yaml': PETS }), 'api.yaml'));
    const contract = await loadContract({ folder });
    expect(contract.notices).toEqual([]);
    expect(contract.at('/components/schemas/Pet/properties/name')).toEqual({ type: ['string', 'null'] });
  });

  test('a folder without contract.yaml works as its only document, and none of its code runs', async () => {
    const dir = await folderWith({ 'api.yaml': PETS, 'other.yaml': 'a: 1\n', 'package.json': '{"openapi-tool": {}}' });
    await mkdir(join(dir, 'mocks/hooks'), { recursive: true });
    await writeFile(join(dir, 'mocks/hooks/hook.mjs'), 'throw new Error("it ran");');
    await writeFile(join(dir, 'mocks/seed.mjs'), 'throw new Error("it ran");');
    const folder = await readContractFolder(dir);
    expect(folder).toMatchObject({ isDocument: true, spec: join(dir, 'api.yaml') });
    await using mock = await startMock({ folder, listen: false });
    expect((await mock.fetch(`${mock.url}/pets`)).status).toBe(200);
  });

  test('a folder with two documents is refused with exit 3, and both are named', async () => {
    const dir = await folderWith({ 'a.yaml': PETS, 'b.json': '{"swagger":"2.0"}' });
    const error = await failure(readContractFolder(dir));
    expect(error).toMatchObject({ exitCode: 3, message: expect.stringContaining('a.yaml, b.json') });
  });

  test('startMock serves a document', async () => {
    const spec = join(await folderWith({ 'api.yaml': PETS }), 'api.yaml');
    await using mock = await startMock({ spec, listen: false });
    expect(await (await mock.fetch(`${mock.url}/pets`)).json()).toMatchObject({ id: expect.any(Number) });
    expect(await failure(startMock({ spec, folder: documentFolder(spec) }))).toMatchObject({ code: 'usage' });
  });

  test('a document cannot refer to a file outside of its folder', async () => {
    const dir = await folderWith({ 'secret.yaml': 'type: object\n' });
    await mkdir(join(dir, 'inner'));
    const leaving = PETS.replace("'#/components/schemas/Pet'", "'../secret.yaml'");
    await writeFile(join(dir, 'inner/api.yaml'), leaving);
    expect(await failure(loadContract({ folder: documentFolder(join(dir, 'inner/api.yaml')) }))).toMatchObject({
      code: 'spec-invalid',
      message: expect.stringContaining('outside'),
    });
  });

  test('the configuration names a document, and a flag replaces it', async () => {
    const cwd = await folderWith({ 'a.yaml': PETS, 'b.yaml': PETS, 'banking-api.config.yaml': 'spec: a.yaml\n' });
    const specOf = async (flags: object) => (await loadConfig({ cwd, env: {}, sends: false, flags })).folder.spec;
    expect(await specOf({})).toBe(join(cwd, 'a.yaml'));
    expect(await specOf({ spec: 'b.yaml' })).toBe(join(cwd, 'b.yaml'));
    await writeFile(join(cwd, 'banking-api.config.yaml'), 'spec: https://api.example/openapi.yaml\n');
    expect(await failure(specOf({}))).toMatchObject({ code: 'config', place: { line: 1 } });
    await writeFile(join(cwd, 'banking-api.config.yaml'), 'spec: a.yaml\ncontract: .\n');
    expect(await failure(specOf({}))).toMatchObject({ code: 'config' });
  });

  test.each([
    ['mock', ['api.yaml']],
    ['generate', ['--spec', 'api.yaml', '--out', 'out']],
    ['verify', ['--target', 'mock', '--spec', 'api.yaml']],
    ['spec', ['--spec', 'api.yaml']],
    ['lint', ['--spec', 'api.yaml']],
    ['facts', ['--spec', 'api.yaml']],
  ])('%s exits with 2 if a document and a folder are given', async (command, args) => {
    const io = fakeIo({ cwd: await folderWith({ 'api.yaml': PETS }) });
    expect(await run([command, ...args, '--contract', '.'], io)).toBe(2);
    expect(io.err()).toMatch(/--contract or --spec, not both/);
  });

  test('spec, facts and generate take a document', async () => {
    const cwd = await folderWith({ 'api.yaml': PETS });
    const printed = fakeIo({ cwd });
    expect(await run(['spec', '--spec', 'api.yaml', '--format', 'json'], printed)).toBe(0);
    expect(JSON.parse(printed.out())).toMatchObject({ openapi: '3.1.1', info: { title: 'Pets' } });
    const facts = fakeIo({ cwd });
    expect([await run(['facts', 'listPets', '--spec', 'api.yaml'], facts), facts.out()]).toEqual([
      0,
      expect.stringContaining('api.yaml:'),
    ]);
    const generated = fakeIo({ cwd });
    expect(await run(['generate', '--spec', 'api.yaml', '--out', 'out'], generated)).toBe(0);
    expect(generated.out()).toContain('openapi.json');
  });
});
