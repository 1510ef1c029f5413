import { expect, test } from 'vitest';
import type { ContractFolder } from '../../../src/contract/folder.ts';
import { lintContract } from '../../../src/contract/lint/lint.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { loadMockContract } from '../../../src/mock/tenant/mock-contract.ts';
import { verify } from '../../../src/run/verify.ts';
import { answers, api, contractFolder } from '../../support/api.ts';
import { serveOnLoopback } from '../../support/loopback.ts';
import { ask } from '../support/ask.ts';

const text = { type: 'string' };
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
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
function folderOf({ envelope = {}, parameters = [] }: Changes = {}): Promise<ContractFolder> {
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
  const paths = {
    '/invoices': {
      get: { operationId: 'listInvoices', parameters, ...answers(page) },
      post: { operationId: 'createInvoice', requestBody: json(ref('Invoice')), ...answers(ref('Invoice')) },
    },
    '/invoices/{invoice_id}': {
      parameters: [{ name: 'invoice_id', in: 'path', required: true, schema: text }],
      get: { operationId: 'getInvoice', ...answers(ref('Invoice')) },
    },
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
  return contractFolder(api(paths, { components: { schemas: SCHEMAS } }), {
    'mocks/entities.yaml': entities,
    'mocks/seed.yaml': '{ invoices: [{ invoice_id: INV-1, id: INV-1, amount: 3 }] }',
  });
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
