import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { fakeIo } from '../cli/io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A contract of 40 schemas that each refer to the next one twice: expanded, a trillion schemas. */
async function doubling(levels: number): Promise<string> {
  const dir = await temporaryFolder();
  await mkdir(join(dir, 'spec'));
  await writeFile(join(dir, 'contract.yaml'), 'contract: 1\nname: doubling\n');
  const next = (level: number): object => ({ $ref: `#/components/schemas/S${level + 1}` });
  const schemas = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `S${level}`,
      { type: 'object', properties: { a: next(level), b: next(level) } },
    ]),
  );
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
  const document = {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'T', version: '1' },
    paths: {
      '/weather': {
        get: { operationId: 'readWeather', security: [], responses: { 200: { description: 'D', content } } },
        post: {
          operationId: 'sendWeather',
          security: [],
          requestBody: { content },
          responses: { 200: { description: 'D' } },
        },
      },
    },
    components: { schemas: { ...schemas, [`S${levels}`]: { type: 'string' } } },
  };
  await writeFile(join(dir, 'spec/openapi.yaml'), JSON.stringify(document));
  return dir;
}

test.each(['spec', 'lint', 'generate --out generated'])(
  'F2: %s needs time proportional to the nested references',
  async (argv) => {
    const cwd = await doubling(40);
    const io = fakeIo({ cwd, signal: AbortSignal.timeout(60_000) });
    expect([0, 1], io.err()).toContain(await run([...argv.split(' '), '--contract', '.'], io));
  },
  90_000,
);

test('F2: generate writes each of 400 schemas once, and their validators check through the references', async () => {
  const link = (index: number): object => ({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, next: { $ref: `#/components/schemas/S${(index + 1) % 400}` } },
  });
  const schemas = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`S${index}`, link(index)]));
  const base = { $ref: '#/components/schemas/S1' };
  const Whole = { allOf: [base, { type: 'object', properties: { more: base } }] };
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'spec'));
  await writeFile(join(cwd, 'contract.yaml'), 'contract: 1\nname: ring\n');
  const document = {
    openapi: '3.1.1',
    info: { title: 'T', version: '1' },
    components: { schemas: { ...schemas, Whole } },
  };
  await writeFile(join(cwd, 'spec/openapi.yaml'), JSON.stringify({ ...document, paths: {} }));
  const io = fakeIo({ cwd, signal: AbortSignal.timeout(60_000) });
  expect(await run(['generate', '--contract', '.', '--out', 'generated'], io), io.err()).toBe(0);
  type Check = { is(value: unknown): boolean; readonly exact: Check };
  await writeFile(join(cwd, 'generated/package.json'), '{ "type": "module" }');
  const { Whole: check } = (await import(join(cwd, 'generated/validators/whole.js'))) as { Whole: Check };
  const good = { id: 'a', next: { id: 'b', next: { id: 'c' } }, more: { id: 'd' } };
  const judged = [good, { ...good, next: { id: 'b', next: { id: 1 } } }, { ...good, next: { id: 'b', other: 1 } }];
  expect(judged.map((value) => [check.is(value), check.exact.is(value)])).toEqual([
    [true, true],
    [false, false],
    [true, false],
  ]);
}, 90_000);

test('F2: a mock of nested references starts and answers', async () => {
  await using mock = await startMock({ listen: false, folder: await readContractFolder(await doubling(40)) });
  const body = JSON.stringify({ a: { a: { b: {} } } });
  const headers = { 'content-type': 'application/json' };
  expect((await mock.fetch('/weather', { method: 'POST', headers, body })).status).toBeLessThan(300);
  expect((await mock.fetch('/weather')).status).toBeLessThan(500);
}, 60_000);
