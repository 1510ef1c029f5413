import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import type { Report } from '../../src/model/report.ts';
import { packageRoot } from '../../src/package-root.ts';
import { fakeIo } from '../cli/io.ts';
import { folderWith } from './support.ts';

function contractOf(schemas: object, paths: object): Promise<string> {
  const document = {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'T', version: '1' },
    paths,
    components: { schemas },
  };
  return folderWith({ 'contract.yaml': 'contract: 1\nname: nested\n', 'spec/openapi.yaml': JSON.stringify(document) });
}

const schema = (number: number): object => ({ $ref: `#/components/schemas/S${number}` });

/** One operation that returns the schema S0, and one that takes it. */
function weather(): object {
  const content = { 'application/json': { schema: schema(0) } };
  const get = { operationId: 'readWeather', security: [], responses: { 200: { description: 'D', content } } };
  const requestBody = { content };
  const post = { operationId: 'sendWeather', security: [], requestBody, responses: { 200: { description: 'D' } } };
  return { '/weather': { get, post } };
}

/** A contract of 40 schemas that each refer to the next one twice: expanded, a trillion schemas. */
async function doubling(levels: number): Promise<string> {
  const schemas = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `S${level}`,
      { type: 'object', properties: { a: schema(level + 1), b: schema(level + 1) } },
    ]),
  );
  return contractOf({ ...schemas, [`S${levels}`]: { type: 'string' } }, weather());
}

/** A contract of 40 schemas that each refer to nine others in several ways, as in the documents of large APIs. */
async function entangled(): Promise<string> {
  const count = 40;
  const schemas = Array.from({ length: count }, (_, number) => {
    const other = (step: number): object => schema((number * 7 + step * step * 3 + 1) % count);
    const links = Array.from({ length: 3 }, (__, step) => ({
      [`one${step}`]: other(step),
      [`any${step}`]: { anyOf: [{ type: 'string' }, other(step + 3)] },
      [`all${step}`]: { type: 'array', items: other(step + 6) },
    }));
    const own = { type: 'object', required: ['id'], properties: Object.assign({ id: { type: 'string' } }, ...links) };
    return [`S${number}`, number % 5 === 4 ? { allOf: [schema(number - 1), own] } : own] as const;
  });
  return contractOf(Object.fromEntries(schemas), weather());
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
  const cwd = await contractOf({ ...schemas, Whole }, {});
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

test.each([
  ['double', () => doubling(40)],
  ['entangled', entangled],
])(
  'F2: verify agrees with a mock of %s references, and names at most 500 fields that it did not see',
  async (_, make) => {
    // a process of its own, because only another process can end a loop
    const argv = ['bin/banking-api.js', 'verify', '--target', 'mock', '--contract', await make(), '--report', 'json'];
    const options = { cwd: packageRoot, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, argv, options);
    const { verdict, coverage } = JSON.parse(stdout) as Report;
    expect(verdict).toBe('agrees');
    const unseen = coverage.operations.map(({ fields }) => fields.filter(({ of }) => of === 0).length);
    expect(coverage.operations[0]?.fields.length).toBeGreaterThan(20);
    expect(Math.max(...unseen)).toBeLessThanOrEqual(500);
  },
  90_000,
);

test('F2: a strict mock names an unknown member at any depth of schemas that refer to each other', async () => {
  await using mock = await startMock({
    listen: false,
    strict: true,
    folder: await readContractFolder(await entangled()),
  });
  const inner = { id: 'c', wind: 1 };
  const body = JSON.stringify({ id: 'a', one0: { id: 'b', all1: [inner] } });
  const headers = { 'content-type': 'application/json' };
  const answer = await mock.fetch('/weather', { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    { errors: [{ in: 'body', pointer: '/one0/all1/0/wind' }] },
  ]);
}, 60_000);

test('F2: a mock of entangled references answers requests with Prefer, for which Prism finds the schema too complex', async () => {
  await using mock = await startMock({ listen: false, folder: await readContractFolder(await entangled()) });
  for (const prefer of ['code=200', 'dynamic=true']) {
    const answer = await mock.fetch('/weather', { headers: { prefer } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  }
  const refused = { method: 'POST', headers: { prefer: 'code=200', 'content-type': 'application/json' }, body: '{}' };
  expect((await mock.fetch('/weather', refused)).status).toBe(422);
  expect((await mock.fetch('/weather')).status).toBe(200);
}, 60_000);
