import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/contract.ts';
import { ownFolder } from '../../../src/contract/folder.ts';
import { loadContract } from '../../../src/contract/load.ts';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import { publishedDocument } from '../../../src/mock/document/published-document.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { partsOfContract } from '../../../src/mock/tenant/read-parts.ts';
import { packageRoot } from '../../../src/package-root.ts';
import type { Json, JsonObject } from '../../../src/schema/json.ts';
import { overlayOf } from '../../support/overlay.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask, type Told } from '../support/ask.ts';
import { startsMocks } from '../support/started.ts';

const start = startsMocks();
const secondApi = await readContractFolder(join(packageRoot, 'examples', 'second-api'));

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Document = any;

async function documentOf(mock: Mock): Promise<Document> {
  const response = await mock.fetch('/__mock/contract.json');
  expect(response.status).toBe(200);
  return response.json();
}

interface Described {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly node: Document;
}

function operationsIn(document: Document): Described[] {
  return Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item)
      .filter(([, node]) => node?.operationId !== undefined)
      .map(([method, node]) => ({ operationId: node.operationId, method: method.toUpperCase(), path, node })),
  );
}

/** Sends a viewer's request after one click: the examples of the document, unchanged. */
async function tryOut(mock: Mock, { method, path, node }: Described): Promise<Told> {
  const given: Document[] = node.parameters ?? [];
  const asked = given.filter((one) => one.in === 'query' && one.example !== undefined);
  const query = new URLSearchParams(asked.map(({ name, example }): [string, string] => [name, String(example)]));
  const there = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = given.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(parameter.example));
  });
  const target = query.size > 0 ? `${there}?${query}` : there;
  const fields = given.filter((one) => one.in === 'header' && one.example !== undefined);
  const headers = Object.fromEntries(fields.map(({ name, example }) => [name, String(example)]));
  const [type, media] = Object.entries<Document>(node.requestBody?.content ?? {})[0] ?? [];
  if (type !== 'application/x-www-form-urlencoded') return ask(mock, method, target, media?.example, headers);
  const { username, password } = mock.credentials;
  const inForm = 'client_id' in media.example;
  const form = inForm ? { ...media.example, client_id: username, client_secret: password } : media.example;
  const basic = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const response = await mock.fetch(target, {
    method,
    headers: { 'content-type': type, ...(inForm ? {} : basic) },
    body: new URLSearchParams(form).toString(),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

async function refusedOf(options: MockOptions, prepare = async (_: Mock): Promise<void> => {}): Promise<string[]> {
  const mock = await start(options);
  await prepare(mock);
  const document = await documentOf(mock);
  const refused: string[] = [];
  for (const operation of operationsIn(document)) {
    // One mock each: a request may delete the record that the next one needs.
    await mock.reset();
    await prepare(mock);
    const told = await tryOut(mock, operation);
    if (told.status >= 300) refused.push(`${operation.operationId}: ${told.status} ${told.text}`);
  }
  return refused;
}

const OTHER_SEED = `
clients:
  - clientId: c-1
    name: Elsewhere Ltd
    country: FR
    users: [{ userId: u-1, firstName: Ada, lastName: Lux, email: ada@elsewhere.example, phone: '+33100000000' }]
    cards:
      - { cardId: k-1, userId: u-1, providerCardId: prv-1, cardType: VIRTUAL, cardProgramme: business-virtual, cardDesign: plain-white, currency: EUR, alias: Trips, maskedNumber: 5355 22** **** 0001, expires: 2030-01 }
    accounts: [{ accountId: a-1, name: Main, currency: EUR, balance: 9000 }]
    beneficiaries: [{ beneficiaryId: b-1, name: Bakery, currency: EUR, country: FR }]
    transactions:
      - { transactionId: t-1, accountId: a-1, beneficiaryId: b-1, amount: 10, currency: EUR, status: SETTLED, createdAt: '2026-01-01T00:00:00Z', purposeCode: other, paymentProviderDetails: { shortReference: X, internalReference: Y, paymentId: p, conversionId: c, rate: 1.1, settlementDate: '2026-01-03T00:00:00Z' } }
`;

describe('the served contract', () => {
  test('the served document is valid, and declares each mock operation and parameter once', async () => {
    const mock = await start();
    const document = await documentOf(mock);
    await expect(SwaggerParser.validate(structuredClone(document))).resolves.toMatchObject({ openapi: '3.1.1' });
    const served = (await mock.contract()).operations.flatMap(({ operationId, path }) => (path ? [operationId] : []));
    expect(operationsIn(document).map(({ operationId }) => operationId)).toEqual(served);
    expect(served).toHaveLength(45);
    expect(document.servers).toEqual([{ url: mock.url, description: 'The mock', 'x-provenance': 'assumed' }]);
    // some viewers send it unchanged
    expect(Object.values<Document>(document.paths).filter((item) => item.parameters !== undefined)).toEqual([]);
    for (const { node } of operationsIn(document)) {
      for (const parameter of node.parameters ?? []) expect(parameter).toMatchObject({ schema: { type: 'string' } });
      // the reference documents no code, but the mock has one
      expect(node.responses).toMatchObject({ 200: {} });
      // what some tools ignore
      const { $ref, properties } = node.requestBody?.content['application/json']?.schema ?? {};
      expect([$ref, properties]).toContain(undefined);
    }
    expect(document.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl).toBe(
      `${mock.url}/iam/oauth/token`,
    );
  });

  test('maxima per currency are alternatives that tools without if and not understand', async () => {
    const document = await documentOf(await start());
    const { requestBody } = document.paths['/wallet/api/customers/{customerId}/cards'].post;
    const { anyOf, properties } = requestBody.content['application/json'].schema;
    const maximumOf = ({ title, properties: { currency, cardLimitDaily } }: Document) => [
      title,
      ['GBP', 'EUR', 'USD'].filter((code) => new RegExp(currency.pattern).test(code)),
      currency.enum,
      cardLimitDaily.maximum,
    ];
    expect(anyOf.map(maximumOf)).toEqual([
      ['GBP', expect.anything(), ['GBP'], 100_000],
      ['EUR', expect.anything(), ['EUR'], 115_000],
      ['any other currency', ['USD'], undefined, undefined],
    ]);
    for (const one of anyOf) expect(Object.keys(one.properties)).toEqual(Object.keys(properties));
    expect(JSON.stringify(document)).not.toMatch(/"(?:if|then|not)":/);
  });

  test('no description contains anything that a viewer would drop as HTML', async () => {
    const document = await documentOf(await start());
    const described = JSON.stringify(document).match(/"description":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(described.length).toBeGreaterThan(100);
    expect(described.filter((text) => /<\/?[a-z]/i.test(text.replace(/`[^`]*`/g, '')))).toEqual([]);
  });

  test.each<[string, MockOptions, string[]]>([
    ['a mock without flags', {}, []],
    ['another contract', { folder: secondApi }, []],
    ['a profile that shows no routing fields', { profile: 'main-banking-provider' }, []],
    // questions cannot be set
    ['a profile without limits', { profile: 'no-card-limits' }, ['updateCardLimits']],
    ['a profile without deprecated forms', { profile: 'no-deprecated-forms' }, []],
    // by a rule of the reference: createSecurityQuestions comes first
    ['a profile that demands security questions', { profile: 'second-card-provider' }, ['issueNewCard']],
  ])('the mock accepts the examples that %s shows, for every operation', async (_, options, but) => {
    expect((await refusedOf(options)).map((refused) => refused.split(':')[0])).toEqual(but);
  });

  test('the examples of the served document name records that exist now', async () => {
    const refused = await refusedOf({}, async (mock) => {
      for (const record of ['cards/card-4001', 'accounts/acc-5001', 'beneficiaries/ben-6001']) {
        const path = `/__mock/state/${record}?customerId=cust-1001`;
        expect((await mock.fetch(path, { method: 'DELETE' })).status).toBe(204);
      }
    });
    expect(refused).toEqual([]);
  });

  test('the mock accepts the examples of parameters that an overlay adds', async () => {
    const parameters = [
      { name: 'X-Branch', in: 'header', required: true, schema: { type: 'integer', minimum: 3 } },
      { name: 'order', in: 'query', required: true, schema: { enum: ['up', 'down'] } },
      { name: 'since', in: 'query', required: true, schema: { type: 'string', format: 'date' } },
    ];
    const target = "$.paths['/wallet/api/customers/{customerId}/accounts'].get";
    const actions = [{ target, update: { parameters } }];
    expect(await refusedOf({ overlays: [overlayOf(actions)] })).toEqual([]);
  });

  test('each schema has one generated type, even with keywords beside its reference', async () => {
    const types = await readFile(join(packageRoot, 'generated/mock/types.ts'), 'utf8');
    const names = [...types.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name);
    expect(names).toContain('PaymentProviderDetails');
    expect(names.filter((name) => /\d$/.test(name ?? ''))).toEqual([]);
  });

  test('with another seed the examples use the ids of that seed', async () => {
    const seedData = join(await temporaryFolder(), 'seed.yaml');
    await writeFile(seedData, OTHER_SEED);
    expect((await refusedOf({ seedData })).filter((refused) => !refused.includes('PartnerProducts'))).toEqual([]);
    const mock = await start({ seedData });
    const getCard = operationsIn(await documentOf(mock)).find(
      ({ operationId }) => operationId === 'getCard',
    ) as Described;
    expect((await tryOut(mock, getCard)).body).toMatchObject({ cardId: 'k-1', alias: 'Trips', status: 'ACTIVE' });
  });

  test('a profile removes fields and operations that its customers do not have', async () => {
    const of = async (profile: string) => {
      const document = await documentOf(await start({ profile }));
      const fields = (name: string) => Object.keys(document.components.schemas[name].properties);
      return { document, fields, ids: operationsIn(document).map(({ operationId }) => operationId) };
    };
    const main = await of('main-banking-provider');
    expect(main.fields('Card')).toContain('cardLimitDaily');
    const limitless = await of('no-card-limits');
    expect(limitless.fields('Card')).not.toContain('cardLimitDaily');
    expect(limitless.fields('IssueNewCardRequest')).not.toContain('cardLimitDaily');
    expect(limitless.document['x-mock'].absent).toContainEqual({
      pointer: '/components/schemas/Card/properties/cardLimitDaily',
      condition: 'card-limits',
    });
    const current = await of('no-deprecated-forms');
    expect(current.ids).toHaveLength(42);
    expect(current.document['x-mock'].withdrawn).toHaveLength(3);
  });

  test('each operation and field states its provenance and source, in words and in x-fields', async () => {
    const document = await documentOf(await start());
    const byId = new Map(operationsIn(document).map((operation) => [operation.operationId, operation.node]));
    expect(byId.get('getCard').description).toMatch(
      /^Provenance: method and path are documented \(Endpoints, .+\); the answer is documented, in part assumed by the mock\.$/,
    );
    expect(byId.get('getAccounts').description).toMatch(/method and path are assumed by the mock/);
    expect(byId.get('getAccounts')).toMatchObject({
      'x-provenance': 'assumed',
      'x-source': { file: 'mocks/assumptions.overlay.yaml', line: expect.any(Number) },
    });
    const { token, status } = document.components.schemas.Card.properties;
    expect(token).toMatchObject({
      description: expect.stringMatching(/\n\nProvenance: documented \(Resources, Card; since 24\.1\.0\)\.$/),
      'x-provenance': 'documented',
      'x-source': { file: 'spec/schemas/card.yaml', line: expect.any(Number) },
    });
    expect(status).toMatchObject({ description: 'Provenance: assumed by the mock.', 'x-provenance': 'assumed' });
    for (const { node } of operationsIn(document)) expect(node.description).toMatch(/^Provenance: .+\.$/m);
    for (const schema of Object.values<Document>(document.components.schemas))
      for (const field of Object.values<Document>(schema.properties ?? {}))
        expect(field.description).toMatch(/Provenance: (?:documented|assumed)/);
  });

  test('additions of overlays and recordings are in the document, with their provenance', async () => {
    const text = `
overlay: 1.0.0
x-provenance: observed
info: { title: Seen, version: '1' }
actions:
  - target: $.components.schemas.Card.properties
    update: { colour: { type: string } }
  - target: $.paths
    update:
      /wallet/api/customers/{customerId}/cards/{cardId}/pin:
        get: { operationId: getPin, responses: { '200': { description: The PIN } } }
`;
    const document = await documentOf(await start({ overlays: [{ file: 'seen.yaml', text }] }));
    expect(document.components.schemas.Card.properties.colour).toMatchObject({
      description: 'Provenance: observed in a recording.',
      'x-provenance': 'observed',
      'x-source': { file: 'seen.yaml' },
    });
    const item = document.paths['/wallet/api/customers/{customerId}/cards/{cardId}/pin'];
    expect(item.get.description).toMatch(/method and path are observed in a recording/);
  });

  test('pages of other loopback origins may read the contract, and no other control document', async () => {
    const mock = await start();
    const asked = async (path: string, origin: string) => {
      const headers = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
      const { status, headers: told } = await ask(mock, 'GET', path, undefined, headers);
      return [status, told.get('access-control-allow-origin')];
    };
    expect(await asked('/__mock/contract.json', 'http://localhost:8080')).toEqual([200, 'http://localhost:8080']);
    expect(await asked('/__mock/contract.json', 'https://evil.example')).toEqual([200, null]);
    expect(await asked('/__mock/state?customerId=x', 'http://localhost:8080')).toEqual([403, null]);
    const foreign = await mock.fetch('http://evil.example/__mock/contract.json');
    expect(foreign.status).toBe(421);
  });
});

describe('the shipped contract', () => {
  test('the shipped contract is the one that a mock without flags serves', async () => {
    const contract = await loadContract({ assumed: true });
    const { servers, ...shipped } = publishedDocument(contract, await partsOfContract(contract));
    const mock = await start();
    const { servers: _, ...served } = await documentOf(mock);
    expect(servers).toMatchObject([{ url: 'http://127.0.0.1:4010' }]);
    const atHome = JSON.parse(JSON.stringify(served).replaceAll(mock.url, 'http://127.0.0.1:4010'));
    expect(atHome).toEqual(shipped);
  });

  test('the shipped contract is read back with its stated provenance', async () => {
    const contract = await loadContract({ assumed: true });
    const document = publishedDocument(contract, await partsOfContract(contract));
    const root = join(await temporaryFolder(), 'openapi.json');
    await writeFile(root, JSON.stringify(document));
    const again = await loadContract({ folder: ownFolder, root });
    // Only spec/ of the package may declare a POST as a read.
    const isDeclared = (operation: Operation): boolean =>
      operation.method === 'POST' && operation.effect === 'read' && operation.auth !== 'issues';
    for (const operation of contract.operations) {
      expect(again.operation(operation.operationId)).toMatchObject({
        ...{ method: operation.method, path: operation.path, located: operation.located },
        ...{ auth: operation.auth, effect: isDeclared(operation) ? 'write' : operation.effect },
      });
    }
    for (const [name, schema] of Object.entries((document.components as JsonObject).schemas as JsonObject))
      for (const field of Object.keys(((schema as JsonObject).properties as JsonObject | undefined) ?? {})) {
        const pointer = `/components/schemas/${name}/properties/${field}`;
        // the contract itself does not contain refusals
        const own = contract.at(pointer) === undefined ? 'assumed' : contract.provenanceOf(pointer);
        expect([pointer, again.provenanceOf(pointer)]).toEqual([pointer, own]);
      }
    const example: Json | undefined = again.at('/paths/~1iam~1oauth~1token/post/requestBody/content');
    expect(example).toBeDefined();
  });
});
