import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { writeBody } from '../../src/run/request-body.ts';
import type { Json } from '../../src/schema/json.ts';
import { api, contractFolder } from '../support/api.ts';

const text = { type: 'string' };
const inner = { type: 'object', required: ['k'], properties: { k: { type: 'integer' } } };

/** The body that `verify` sends, and the status of the mock. */
async function sent(type: string, properties: Record<string, object>, value: Json, encoding: object = {}) {
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const requestBody = { required: true, content: { [type]: { schema, encoding } } };
  const post = { operationId: 'add', security: [], requestBody, responses: { 204: { description: 'D' } } };
  const folder = await contractFolder(api({ '/a': { post } }));
  const contract = await loadContract({ folder });
  const [media] = contract.operation('add')?.requestBody?.content ?? [];
  if (media === undefined) throw new Error('no body');
  const { bytes, type: contentType } = writeBody(contract, media, value);
  await using mock = await startMock({ listen: false, folder });
  const headers = { 'content-type': contentType };
  const { status } = await mock.fetch('/a', { method: 'POST', headers, body: Buffer.from(bytes) });
  return { body: Buffer.from(bytes).toString(), status };
}

test.each<[what: string, schema: object, value: Json, contentType: string | undefined, head: string]>([
  ['an object', inner, { k: 1 }, undefined, '\r\ncontent-type: application/json'],
  ['an object with a type', inner, { k: 1 }, 'application/xml', '\r\ncontent-type: application/xml'],
  ['a text', text, 'x', undefined, ''],
  ['a text with its type', text, 'x', 'text/plain', '\r\ncontent-type: text/plain'],
  [
    'binary content',
    { ...text, format: 'binary' },
    'x',
    undefined,
    '; filename="file"\r\ncontent-type: application/octet-stream',
  ],
  [
    'a list of files',
    { type: 'array', items: { ...text, format: 'binary' } },
    ['x'],
    undefined,
    '; filename="file"\r\ncontent-type: application/octet-stream',
  ],
  [
    'a contentMediaType',
    { ...text, contentMediaType: 'image/gif' },
    'x',
    undefined,
    '; filename="file"\r\ncontent-type: image/gif',
  ],
  ['an image', {}, 'x', 'image/png, image/jpeg', '; filename="file"\r\ncontent-type: image/png'],
])('a part with %s has the type and file name that OpenAPI describes', async (_, schema, value, contentType, head) => {
  const { body, status } = await sent('multipart/form-data', { p: schema }, { p: value }, { p: { contentType } });
  expect(body).toContain(`content-disposition: form-data; name="p"${head}\r\n\r\n`);
  expect(status).toBe(204);
});

test('a form sends an object of style deepObject as one field per member, and any other as JSON', async () => {
  const properties = { o: inner, j: inner };
  const value = { o: { k: 1 }, j: { k: 2 } };
  const form = await sent('application/x-www-form-urlencoded', properties, value, { o: { style: 'deepObject' } });
  expect(decodeURIComponent(form.body)).toBe('o[k]=1&j={"k":2}');
  expect(form.status).toBe(204);
});

test('a form sends lists and objects inside a deepObject by their names and positions', async () => {
  const line = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } }, additionalProperties: false };
  const o = { type: 'object', properties: { at: inner, lines: { type: 'array', items: line } } };
  const all = { o, lines: { type: 'array', items: line } };
  const value = { o: { at: { k: 1 }, lines: [{ n: 2 }, { n: 3 }] }, lines: [{ n: 4 }] };
  const style = { style: 'deepObject', explode: true };
  const form = await sent('application/x-www-form-urlencoded', all, value, { o: style, lines: style });
  expect(decodeURIComponent(form.body)).toBe('o[at][k]=1&o[lines][0][n]=2&o[lines][1][n]=3&lines[0][n]=4');
  expect(form.status).toBe(204);
});

test.each([
  ['o[at][k]=1&o[ids][]=2&o[ids][]=3&ids[]=4', 204],
  ['o[at][k]=1&o[7]=text&ids[0]=4&ids[1]=5', 204],
  ['o[at][k]=text', 422],
  [`o${'[a]'.repeat(20_000)}=1`, 204],
])('the mock answers the form %s with %i', async (body, status) => {
  const ids = { type: 'array', items: { type: 'integer' } };
  const o = { type: 'object', properties: { at: inner, ids } };
  const style = { style: 'deepObject', explode: true };
  const type = 'application/x-www-form-urlencoded';
  const content = {
    [type]: { schema: { type: 'object', properties: { o, ids } }, encoding: { o: style, ids: style } },
  };
  const post = { operationId: 'add', security: [], requestBody: { content }, responses: { 204: { description: 'D' } } };
  await using mock = await startMock({ listen: false, folder: await contractFolder(api({ '/a': { post } })) });
  const answer = await mock.fetch('/a', { method: 'POST', headers: { 'content-type': type }, body });
  expect(answer.status).toBe(status);
});
