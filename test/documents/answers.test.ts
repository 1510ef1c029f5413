import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentFolder } from '../../src/contract/document-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { verify } from '../../src/run/verify.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const thing = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
const json = (schema: object) => ({ description: 'Good', content: { 'application/json': { schema } } });
const body = { requestBody: { content: { 'application/json': { schema: thing } } } };

async function specOf(paths: object): Promise<string> {
  const spec = join(await temporaryFolder(), 'api.json');
  await writeFile(spec, JSON.stringify({ openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths }));
  return spec;
}

test('an operation that documents only refusals succeeds, with an assumed status', async () => {
  const spec = await specOf({
    '/things': { post: { ...body, responses: { 405: { description: 'Invalid input' } } } },
    '/things/{id}': { get: { parameters: [id], responses: { 200: json(thing) } } },
  });
  await using mock = await startMock({ spec, listen: false });
  const sent = { id: 'a', name: 'Rex' };
  const headers = { 'content-type': 'application/json' };
  const made = await mock.fetch('/things', { method: 'POST', headers, body: JSON.stringify(sent) });
  expect([made.status, made.headers.get('x-mock-provenance')]).toEqual([200, 'assumed']);
  expect(await (await mock.fetch('/things/a')).json()).toEqual(sent);
  expect(await verify({ target: 'mock', folder: documentFolder(spec) })).toMatchObject({
    verdict: 'agrees',
    findings: [],
  });
});

test('verify skips an operation that documents only redirects, and names the reason', async () => {
  const spec = await specOf({
    '/things': { get: { responses: { 200: json({ type: 'array', items: thing }) } } },
    '/archive': { get: { operationId: 'archive', responses: { 302: { description: 'Elsewhere' } } } },
  });
  const { verdict, checks } = await verify({ target: 'mock', folder: documentFolder(spec) });
  expect([verdict, checks.filter(({ operationId }) => operationId === 'archive')]).toEqual([
    'agrees',
    [expect.objectContaining({ outcome: 'skipped', reason: expect.stringContaining('only redirects') })],
  ]);
});

test('a change that answers with something else than the record keeps its documented answer', async () => {
  const result = { type: 'object', properties: { message: { type: 'string', example: 'started' } } };
  const spec = await specOf({
    '/things': { get: { responses: { 200: json({ type: 'array', items: thing }) } } },
    '/things/{id}': {
      get: { parameters: [id], responses: { 200: json(thing) } },
      patch: { parameters: [id], responses: { 200: json(result) } },
    },
  });
  await using mock = await startMock({ spec, listen: false });
  expect(await (await mock.fetch('/things/a', { method: 'PATCH' })).json()).toEqual({ message: 'started' });
});
