import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { documentFolder } from '../../src/contract/document-folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { verify } from '../../src/run/verify.ts';
import { fakeIo } from '../cli/io.ts';
import { serveOnLoopback } from '../support/loopback.ts';
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

  test('an operationId that stands twice names its first operation only, and lint says so', async () => {
    const get = '{ operationId: listPets, responses: { 200: { description: Good } } }';
    const more = `  /pets/{id}:\n    get: ${get}\n    put: ${get}\ncomponents:`;
    const dir = await folderWith({ 'api.yaml': PETS.replace('components:', more) });
    const contract = await loadContract({ folder: documentFolder(join(dir, 'api.yaml')) });
    const names = contract.operations.map(({ operationId, method, path }) => [operationId, `${method} ${path}`]);
    expect(names).toEqual([
      ['listPets', 'GET /pets'],
      ['getPetsId', 'GET /pets/{id}'],
      ['putPetsId', 'PUT /pets/{id}'],
    ]);
    expect(contract.notices.map(({ code, place }) => [code, place.line])).toEqual([
      ['keyword-invalid', 10],
      ['keyword-invalid', 11],
    ]);
    expect(contract.notices[0]?.message).toContain(
      'stands twice, also at api.yaml:6:7. This one is read as getPetsId.',
    );
  });

  test('keywords of OpenAPI 3.0 are no remark in a document of OpenAPI 3.0', async () => {
    const folder = documentFolder(join(await folderWith({ 'api.yaml': PETS }), 'api.yaml'));
    const contract = await loadContract({ folder });
    expect(contract.notices).toEqual([]);
    expect(contract.at('/components/schemas/Pet/properties/name')).toEqual({ type: ['string', 'null'] });
  });

  test.each([
    ['3.0.3', { type: 'string' }, { type: 'integer' }],
    ['3.1.0', { type: 'string', maxLength: 2 }, { maxLength: 9, allOf: [{ type: 'integer' }] }],
  ])('OpenAPI %s reads what is beside a $ref of a schema as its own version says', async (version, own, other) => {
    const schemas = {
      Name: { type: 'string' },
      Own: { $ref: '#/components/schemas/Name', maxLength: 2, 'x-note': 1 },
      Other: { $ref: './other.json', maxLength: 9 },
    };
    const files = {
      'api.json': JSON.stringify({
        openapi: version,
        info: { title: 'T', version: '1' },
        paths: {},
        components: { schemas },
      }),
    };
    const dir = await folderWith({ ...files, 'other.json': '{"type":"integer"}' });
    const contract = await loadContract({ folder: documentFolder(join(dir, 'api.json')) });
    const { $ref, 'x-note': note, ...beside } = contract.at('/components/schemas/Own') as Record<string, unknown>;
    expect([$ref, note]).toEqual(['#/components/schemas/Name', 1]);
    expect({ ...(contract.at('/components/schemas/Name') as object), ...beside }).toEqual(own);
    expect(contract.at('/components/schemas/Other')).toEqual(other);
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

describe('the base path of the servers', () => {
  const SERVED = PETS.replace(
    'paths:',
    "servers: [{ url: 'https://api.example/{stage}/v1', variables: { stage: { default: live } } }, { url: /v1/ }]\npaths:",
  );
  const folderOf = async () => documentFolder(join(await folderWith({ 'api.yaml': SERVED }), 'api.yaml'));

  test('the mock answers below each base path and without it, and its journal has the path of the operation', async () => {
    await using mock = await startMock({ folder: await folderOf(), listen: false });
    const statusOf = async (path: string) => (await mock.fetch(`${mock.url}${path}`)).status;
    expect([await statusOf('/pets'), await statusOf('/live/v1/pets?page=2'), await statusOf('/v1/pets')]).toEqual([
      200, 200, 200,
    ]);
    expect([await statusOf('/other/v1/pets'), await statusOf('/v1pets'), await statusOf('/v1')]).toEqual([
      404, 404, 404,
    ]);
    const [, second] = mock.journal.entries();
    expect(second).toMatchObject({ operationId: 'listPets', path: '/pets?page=2' });
  });

  test.each(['path', 'operation'])('the servers of one %s count for its operations only', async (level) => {
    const servers = [{ url: 'https://uploads.example/upload/v2' }];
    const get = { responses: { 200: { description: 'D' } }, ...(level === 'operation' && { servers }) };
    const files = { get, ...(level === 'path' && { servers }) };
    const paths = { '/files': files, '/pets': { get: { responses: { 200: { description: 'D' } } } } };
    const document = { openapi: '3.0.3', info: { title: 'T', version: '1' }, servers: [{ url: '/upload' }], paths };
    const spec = join(await folderWith({ 'api.json': JSON.stringify(document) }), 'api.json');
    await using mock = await startMock({ spec, listen: false });
    const statusOf = async (path: string) => (await mock.fetch(`${mock.url}${path}`)).status;
    expect([await statusOf('/upload/v2/files'), await statusOf('/files')]).toEqual([200, 200]);
    expect([await statusOf('/upload/pets'), await statusOf('/upload/v2/pets')]).toEqual([200, 404]);
  });

  test('verify adds the base path of the first server to a target without a path', async () => {
    const folder = await folderOf();
    await using mock = await startMock({ folder });
    for (const [target, baseUrl] of [
      [mock.url, `${mock.url}/live/v1`],
      [`${mock.url}/v1`, `${mock.url}/v1`],
    ] as const) {
      const report = await verify({ target, folder });
      expect([report.verdict, report.target.baseUrl]).toEqual(['agrees', baseUrl]);
    }
  });
});

describe('a document from a URL', () => {
  test('it is fetched without credentials of the run, and its hash is printed and stands in the report', async () => {
    let headers: object = {};
    await using server = await serveOnLoopback((request, response) => {
      headers = request.headers;
      response.end(PETS);
    });
    const env = { BANKING_API_USERNAME: 'user', BANKING_API_PASSWORD: 'top-secret' };
    const io = fakeIo({ env, cwd: await folderWith({}) });
    const spec = `${server.url}/docs/api.yaml`;
    expect(await run(['verify', '--target', 'mock', '--spec', spec, '--report', 'json'], io)).toBe(0);
    expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host']);
    const sha256 = createHash('sha256').update(PETS).digest('hex');
    expect(io.err()).toContain(sha256);
    expect(JSON.parse(io.out()).notices).toEqual([
      expect.objectContaining({ message: expect.stringContaining(sha256) }),
    ]);
  });

  test.each([
    ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: '/api.yaml' }).end(), /302/],
    ['an error', (response: ServerResponse) => response.writeHead(404).end(), /404/],
    [
      'a reference to a file',
      (response: ServerResponse) => response.end(PETS.replace('#/components/schemas/Pet', './pet.yaml')),
      /only to itself/,
    ],
    ['more than 32 MB', (response: ServerResponse) => response.end(Buffer.alloc(33 * 1024 * 1024, ' ')), /32 MB/],
  ])('%s is refused', async (_, answer, message) => {
    await using server = await serveOnLoopback((_, response) => answer(response));
    const io = fakeIo({ cwd: await folderWith({}) });
    expect(await run(['spec', '--spec', `${server.url}/api.yaml`], io)).toBeGreaterThan(1);
    expect(io.err()).toMatch(message);
  });

  test.each([
    ['http://api.example/openapi.yaml', /https/],
    ['ftp://localhost/openapi.yaml', /https/],
    ['https://user:top-secret@api.example/openapi.yaml', /credentials/],
  ])('%s is refused with exit 2 before a connection is opened', async (spec, message) => {
    const io = fakeIo({ cwd: await folderWith({}) });
    expect(await run(['spec', '--spec', spec], io)).toBe(2);
    expect(io.err()).toMatch(message);
    expect(io.err()).not.toContain('top-secret');
  });
});

describe('lint of one document', () => {
  const get = '{ responses: { "200": { description: D } } }';
  const lint = async (paths: string, version = '3.0.3') => {
    const text = `openapi: ${version}\ninfo: { title: T, version: '1' }\npaths:\n${paths}`;
    const io = fakeIo({ cwd: await folderWith({ 'api.yaml': text }) });
    return [await run(['lint', '--spec', 'api.yaml'], io), io.out()];
  };
  const parameter = 'parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]';

  test.each(['3.0.3', '3.1.1', '3.2.0'])(
    'a legal document of OpenAPI %s has no problem, whatever its style',
    async (version) => {
      const paths = `  /pet/{petId}: { ${parameter}, get: ${get} }\n  /pet/findByStatus: { get: ${get} }\n`;
      expect(await lint(paths, version)).toEqual([0, '']);
    },
  );

  test('a path parameter that is not described is an error with its line', async () => {
    expect(await lint(`  /pet/{petId}:\n    get: ${get}\n`)).toEqual([
      1,
      expect.stringMatching(/^api\.yaml:[45]:\d+ error path-params /),
    ]);
  });
});
