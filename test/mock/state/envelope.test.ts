import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ContractFolder } from '../../../src/contract/folder.ts';
import { lintContract } from '../../../src/contract/lint/lint.ts';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import { loadMockContract } from '../../../src/mock/compile/mock-contract.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { verify } from '../../../src/run/verify.ts';
import { serveOnLoopback } from '../../support/loopback.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask } from '../support/ask.ts';

const text = { type: 'string' };
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const good = (schema: object): object => ({ responses: { '200': { description: 'Good', ...json(schema) } } });
const query = (name: string, more: object = {}): object => ({
  name,
  in: 'query',
  schema: { type: 'integer' },
  ...more,
});

const SCHEMAS = {
  Invoice: {
    type: 'object',
    required: ['id', 'amount'],
    properties: { id: { ...text, readOnly: true }, amount: { type: 'integer' } },
  },
  Link: { type: 'object', required: ['href', 'rel'], properties: { href: text, rel: text } },
};

interface Changes {
  readonly envelope?: object;
  readonly parameters?: readonly object[];
}

/** An API with lists in an envelope of two arrays, and an id with different names in body and path. */
async function folderOf({ envelope = {}, parameters = [] }: Changes = {}): Promise<ContractFolder> {
  const dir = await temporaryFolder();
  await mkdir(join(dir, 'spec'));
  await mkdir(join(dir, 'mocks'));
  await writeFile(join(dir, 'contract.yaml'), 'contract: 1\nname: invoices\n');
  const page = {
    type: 'object',
    properties: {
      links: list(ref('Link'), { minItems: 1 }),
      invoices: list(ref('Invoice')),
      about: { type: 'object', required: ['trace'], properties: { trace: text } },
      ...envelope,
    },
    required: ['links', 'about'],
  };
  const document = {
    openapi: '3.1.1',
    info: { title: 'Invoices', version: '1' },
    paths: {
      '/invoices': {
        get: { operationId: 'listInvoices', parameters, ...good(page) },
        post: { operationId: 'createInvoice', requestBody: json(ref('Invoice')), ...good(ref('Invoice')) },
      },
      '/invoices/{invoice_id}': {
        parameters: [{ name: 'invoice_id', in: 'path', required: true, schema: text }],
        get: { operationId: 'getInvoice', ...good(ref('Invoice')) },
      },
    },
    components: { schemas: SCHEMAS },
  };
  const entities = {
    kinds: {
      invoice: {
        id: { invoice_id: 'INV-{HEX 8}' },
        fields: { id: '{invoice_id}', amount: { oneOf: [5, 7] } },
        hidden: ['invoice_id'],
      },
    },
    operations: {
      listInvoices: { list: 'invoice' },
      createInvoice: { create: 'invoice' },
      getInvoice: { read: 'invoice' },
    },
    roles: { parameters: { invoice_id: 'INV-1' } },
  };
  await writeFile(join(dir, 'spec/openapi.yaml'), JSON.stringify(document));
  await writeFile(join(dir, 'mocks/entities.yaml'), JSON.stringify(entities));
  await writeFile(join(dir, 'mocks/seed.yaml'), '{ invoices: [{ invoice_id: INV-1, id: INV-1, amount: 3 }] }');
  return readContractFolder(dir);
}

test('a hidden id appears under another name, and its list is one of two arrays', async () => {
  const folder = await folderOf();
  await using mock = await startMock({ listen: false, folder });
  const made = await ask(mock, 'POST', '/invoices', { amount: 9 });
  expect(made.body).toEqual({ id: expect.stringMatching(/^INV-[0-9A-F]{8}$/), amount: 9 });
  expect((await ask(mock, 'GET', `/invoices/${made.body.id}`)).body).toEqual(made.body);
  const { body } = await ask(mock, 'GET', '/invoices');
  expect(body).toMatchObject({
    invoices: [{ id: 'INV-1', amount: 3 }, made.body],
    about: { trace: expect.any(String) },
  });
  expect(body.links).toHaveLength(1);
  const { verdict, findings } = await verify({ target: 'mock', folder });
  expect([verdict, findings]).toEqual(['agrees', []]);
});

test('x-list: items marks the array of the records, even if it is nested', async () => {
  const alike = list(ref('Invoice'));
  const stated = { type: 'object', properties: { data: { ...alike, 'x-list': 'items' }, drafts: alike } };
  const folder = await folderOf({ envelope: { embedded: stated } });
  await using mock = await startMock({ listen: false, folder });
  const made = await ask(mock, 'POST', '/invoices', { amount: 9 });
  const { body } = await ask(mock, 'GET', '/invoices');
  expect([body.embedded, body.invoices]).toEqual([{ data: [{ id: 'INV-1', amount: 3 }, made.body] }, undefined]);
});

test('lint reports an x-list that does not exist, and paging without effect', async () => {
  const parameters = [query('page_size'), query('page', { 'x-list': 'leaf' }), query('state')];
  const folder = await folderOf({ envelope: { total: { type: 'integer', 'x-list': 'sum' } }, parameters });
  const problems = await lintContract(await loadMockContract({ folder }));
  expect(
    problems.filter(({ rule }) => /list|paging/.test(rule)).map(({ severity, message }) => `${severity} ${message}`),
  ).toEqual([
    'info page_size has no effect in the mock. Add x-list to define one.',
    expect.stringMatching(/^error There is no x-list leaf\. Known here: limit, /),
    expect.stringMatching(/^error There is no x-list sum\. Known here: items, total, /),
  ]);
});

test('verify reports a renamed optional list as fields-renamed, without a recording', async () => {
  const invoice = { id: 'INV-1', amount: 5 };
  await using sandbox = await serveOnLoopback(({ path }, response) => {
    const page = { links: [{ href: '/', rel: 'self' }], about: { trace: 'x' }, items: [invoice] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(path === '/invoices' ? page : invoice));
  });
  const parameters = { invoice_id: 'INV-1' };
  const { findings } = await verify({ target: sandbox.url, folder: await folderOf(), parameters });
  expect(findings.map(({ rule, severity, expected, actual }) => [rule, severity, expected, actual])).toEqual([
    ['fields-renamed', 'error', 'invoices', 'items in its place'],
  ]);
});
