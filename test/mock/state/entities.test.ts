import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask } from '../support/ask.ts';
import { parts } from '../support/compiled.ts';

const folder = await temporaryFolder();

const SPEC = `openapi: 3.1.1
info: { title: Library, version: '1' }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  schemas:
    Shelf: { type: object, properties: { shelfNo: { type: string }, room: { type: string } } }
    Book:
      type: object
      properties:
        bookNo: { type: string, readOnly: true }
        shelfNo: { type: string }
        title: { type: string }
        signature: { type: string, x-only-when: rare }
        rare: { type: boolean }
        tags: { type: array, items: { type: string } }
paths:
  /books:
    get: &list
      operationId: listBooks
      tags: [Books]
      security: []
      x-effect: read
      responses: { 2XX: { description: Good., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } }
    post:
      operationId: addBook
      tags: [Books]
      security: []
      x-effect: write
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { 2XX: { description: Good., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /books/{bookNo}:
    parameters: [{ name: bookNo, in: path, required: true, schema: { type: string } }]
    get:
      operationId: readBook
      tags: [Books]
      security: []
      x-effect: read
      responses: { 2XX: { description: Good., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
`;
const ENTITIES = `kinds:
  shelf:
    id: { shelfNo: 's-{digits 2}' }
    plural: shelves
    fields: { room: Reading room }
  book:
    id: { bookNo: 'b-{hex 4}' }
    fields:
      shelfNo: { of: shelf }
      title: 'Book {bookNo}'
      rare: false
      signature: 'sig-{HEX 2}'
      tags: ~
conditions:
  rare: { record: { rare: true } }
operations:
  listBooks: { list: book }
  addBook: { create: book }
  readBook: { read: book }
`;
const SEED = 'shelves:\n  - shelfNo: s-1\n    books:\n      - { bookNo: b-1, title: One }\n';

/** A library without tenant and token, in a new folder. */
async function library(
  name: string,
  files: Readonly<Record<string, string>>,
  options: MockOptions = {},
): Promise<Mock> {
  const dir = join(folder, name);
  await cp(new URL('../../../examples/second-api/contract.yaml', import.meta.url), join(dir, 'contract.yaml'));
  for (const [file, text] of Object.entries({ 'spec/openapi.yaml': SPEC, ...files })) {
    await cp(join(dir, 'contract.yaml'), join(dir, file));
    await writeFile(join(dir, file), text);
  }
  return startMock({ listen: false, folder: await readContractFolder(dir), ...options });
}

describe('a contract without tenant and token', () => {
  test('a contract without tenant and token has its own kinds of records: sent, generated and nested', async () => {
    await using mock = await library('plain', { 'mocks/entities.yaml': ENTITIES, 'mocks/seed.yaml': SEED });
    const made = await ask(mock, 'POST', '/books', { title: 'Two', rare: true });
    expect(made.body).toEqual({
      bookNo: expect.stringMatching(/^b-[0-9a-f]{4}$/),
      shelfNo: 's-1',
      title: 'Two',
      rare: true,
      signature: expect.stringMatching(/^sig-[0-9A-F]{2}$/),
    });
    expect((await ask(mock, 'GET', '/books')).body).toEqual([
      { bookNo: 'b-1', shelfNo: 's-1', title: 'One', rare: false },
      made.body,
    ]);
    expect((await ask(mock, 'POST', '/books', {})).body).not.toHaveProperty('signature');
    expect((await ask(mock, 'POST', '/books', { shelfNo: 'x' })).status).toBe(422);
    expect((await ask(mock, 'GET', `/books/${made.body.bookNo}`)).body).toEqual(made.body);
    expect((await ask(mock, 'GET', '/__mock/state')).body.records.book).toHaveLength(3);
  });

  test('without entities the shape of the paths describes the records', async () => {
    await using mock = await library('bare', {});
    const made = await ask(mock, 'POST', '/books', { title: 'Two' });
    expect([made.status, made.body.title]).toEqual([200, 'Two']);
    expect((await ask(mock, 'GET', `/books/${made.body.bookNo}`)).body).toEqual(made.body);
  });
});

describe('an operation that an overlay adds', () => {
  const RESPONSE = (schema: string): string =>
    `responses: { '200': { description: Good., content: { application/json: { schema: ${schema} } } } }`;
  const BOOK = "{ $ref: '#/components/schemas/Book' }";
  const PARAMETER = 'parameters: [{ name: bookNo, in: path, required: true, schema: { type: string } }]';
  const OVERLAY = `overlay: 1.0.0
info: { title: More, version: '1' }
actions:
  - target: $.paths
    update:
      /v2/books:
        get: { operationId: allBooks, x-entity: list book, tags: [Books], security: [], x-effect: read, ${RESPONSE(`{ type: array, items: ${BOOK} }`)} }
        post: { operationId: newBook, x-entity: create book, tags: [Books], security: [], x-effect: write, ${RESPONSE(BOOK)} }
      /v2/books/{bookNo}:
        ${PARAMETER}
        get: { operationId: oneBook, x-entity: read book, tags: [Books], security: [], x-effect: read, ${RESPONSE(BOOK)} }
        patch:
          operationId: changeBook
          x-entity: set book
          tags: [Books]
          security: []
          x-effect: write
          requestBody: { content: { application/json: { schema: ${BOOK} } } }
          ${RESPONSE(BOOK)}
        delete: { operationId: dropBook, x-entity: remove book, tags: [Books], security: [], x-effect: destructive, responses: { '204': { description: Gone. } } }
      /v2/books/{bookNo}/borrowers:
        ${PARAMETER}
        get: { operationId: borrowers, tags: [Books], security: [], x-effect: read, ${RESPONSE('{ type: array, items: { type: object, properties: { name: { type: string } } } }')} }
`;
  const options: MockOptions = { overlays: [{ file: 'more.overlay.yaml', text: OVERLAY }] };

  test('an operation of an overlay follows its x-entity: reads, lists, creates, changes, removes', async () => {
    await using mock = await library('more', { 'mocks/entities.yaml': ENTITIES, 'mocks/seed.yaml': SEED }, options);
    const read = await ask(mock, 'GET', '/v2/books/b-1');
    expect([read.body.title, read.headers.get('x-mock-provenance')]).toEqual(['One', 'assumed']);
    expect((await ask(mock, 'PATCH', '/v2/books/b-1', { title: 'First' })).body.title).toBe('First');
    expect((await ask(mock, 'GET', '/books/b-1')).body.title).toBe('First');
    const { bookNo } = (await ask(mock, 'POST', '/v2/books')).body;
    expect((await ask(mock, 'GET', '/v2/books')).body.map((book: { bookNo: string }) => book.bookNo)).toEqual([
      'b-1',
      bookNo,
    ]);
    expect((await ask(mock, 'DELETE', '/v2/books/b-1')).status).toBe(204);
    expect((await ask(mock, 'GET', '/books/b-1')).status).toBe(404);
  });

  test('a record is final only if all of its final values match', async () => {
    const sealed = ENTITIES.replace('  book:\n', '  book:\n    final: { rare: true, title: Sealed }\n');
    await using mock = await library('final', { 'mocks/entities.yaml': sealed, 'mocks/seed.yaml': SEED }, options);
    const titleAfter = async (change: Record<string, unknown>): Promise<string> =>
      (await ask(mock, 'PATCH', '/v2/books/b-1', change)).body.title;
    expect(await titleAfter({ rare: true })).toBe('One');
    expect(await titleAfter({ title: 'Sealed' })).toBe('Sealed');
    expect(await titleAfter({ title: 'Open' })).toBe('Sealed');
  });

  test('a change of currency is refused if a limit of the record exceeds its new maximum', async () => {
    const limit = '{ type: integer, x-maximum-by-currency: { GBP: 10, EUR: 5 } }';
    const title = 'title: { type: string }';
    const indent = '\n        ';
    const spec = SPEC.replace(title, [title, `daily: ${limit}`, 'money: { type: string }'].join(indent));
    const entities = `${ENTITIES.replace('tags: ~', 'tags: ~\n      daily: 10\n      money: GBP')}limits: { currency: money }\n`;
    const files = { 'spec/openapi.yaml': spec, 'mocks/entities.yaml': entities, 'mocks/seed.yaml': SEED };
    await using mock = await library('limits', files, options);
    const { bookNo } = (await ask(mock, 'POST', '/v2/books')).body;
    const statusOf = async (change: Record<string, unknown>): Promise<number> =>
      (await ask(mock, 'PATCH', `/v2/books/${bookNo}`, change)).status;
    expect(await statusOf({ daily: 10 })).toBe(200);
    expect(await statusOf({ daily: 11 })).toBe(422);
    expect(await statusOf({ money: 'EUR' })).toBe(422);
    expect(await statusOf({ money: 'EUR', daily: 5 })).toBe(200);
  });

  test('an operation without an x-entity answers from the contract, and an unknown x-entity is rejected', async () => {
    const files = { 'mocks/entities.yaml': ENTITIES, 'mocks/seed.yaml': SEED };
    await using mock = await library('less', files, options);
    expect((await ask(mock, 'GET', '/v2/books/nobody/borrowers')).status).toBe(200);
    const overlays = [{ file: 'more.overlay.yaml', text: OVERLAY.replace('list book', 'list shelfs') }];
    await expect(library('wrong', files, { overlays })).rejects.toMatchObject({
      code: 'spec-invalid',
      message: 'There is no x-entity list shelfs.',
      place: { file: 'more.overlay.yaml' },
    });
  });
});

describe('a mistake in the entities', () => {
  test.each([
    ['an unknown key', 'kinds: {}\nkind: {}\n', 2, 1, /no key "kind"/],
    ['an unknown kind', ENTITIES.replace('of: shelf', 'of: shelve'), 9, 22, /no kind shelve/],
    ['an unknown word', ENTITIES.replace('{bookNo}', '{bookNr}'), 10, 14, /no word \{bookNr\}/],
    ['an unknown operation', ENTITIES.replace('listBooks', 'listBook'), 17, 13, /no operation listBook/],
    ['two verbs', ENTITIES.replace('{ read: book }', '{ read: book, list: book }'), 19, 13, /one verb/],
    ['an unknown hook', ENTITIES.replace('tags: ~', 'tags: { hook: tags }'), 13, 21, /no hook tags/],
  ])('a mistake in the entities is rejected with file, line and column: %s', async (_, text, line, column, message) => {
    await expect(library('wrong', { 'mocks/entities.yaml': text })).rejects.toMatchObject({
      code: 'spec-invalid',
      exitCode: 3,
      message: expect.stringMatching(message) as string,
      place: { file: expect.stringMatching(/entities\.yaml$/) as string, line, column },
    });
  });

  test.each([
    ['a member that is not a field', SEED.replace('title', 'titel'), 4, 31],
    ['a duplicate id', `${SEED}      - { bookNo: b-1 }\n`, 5, 19],
    ['a field against its condition', SEED.replace('title: One', 'signature: x'), 4, 35],
  ])('a mistake in the seed is rejected: %s', async (_, text, line, column) => {
    const files = { 'mocks/entities.yaml': ENTITIES, 'mocks/seed.yaml': text };
    await expect(library('wrong', files)).rejects.toMatchObject({ code: 'config', place: { line, column } });
  });

  test('a profile with a member that the default profile does not have is rejected', async () => {
    const files = {
      'mocks/profiles/default.yaml': 'opening: { early: true }\n',
      'mocks/profiles/late.yaml': 'opening: { early: no }\nclosing: 1\n',
    };
    await expect(library('late', files, { profile: 'late' })).rejects.toMatchObject({
      code: 'config',
      place: { line: 1 },
    });
  });
});

describe('the published schemas of a contract folder', () => {
  test('the seed schema lists exactly the members of each kind', async () => {
    const schema = (await import('../../../schemas/seed.schema.json', { with: { type: 'json' } })).default;
    const { client } = parts.entities.file.kinds;
    const { users, accounts, cards, beneficiaries, transactions, ...own } = schema.$defs.clients.items.properties;
    const known = {
      user: users,
      account: accounts,
      card: cards,
      beneficiary: beneficiaries,
      transaction: transactions,
    };
    expect(Object.keys(own).toSorted()).toEqual(['clientId', 'count', ...Object.keys(client?.fields ?? {})].toSorted());
    for (const [name, { items }] of Object.entries(known)) {
      const { id, fields } = parts.entities.file.kinds[name] ?? { id: {}, fields: {} };
      const members = ['count', ...Object.keys(id), ...Object.keys(fields)].filter((field) => field !== 'clientId');
      expect([name, Object.keys(items.properties).toSorted()]).toEqual([name, members.toSorted()]);
    }
  });

  test('the profile schema lists exactly the members of the default profile', async () => {
    const schema = (await import('../../../schemas/profile.schema.json', { with: { type: 'json' } })).default;
    const { name: _, ...members } = parts.profile;
    const { $schema: __, ...known } = schema.properties;
    expect(Object.keys(known).toSorted()).toEqual(Object.keys(members).toSorted());
    expect(known.cardProvider.enum).toEqual(parts.entities.file.words?.cardProvider);
  });
});

describe('a created record', () => {
  const JSON_OF = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
  const THING = "{ $ref: '#/components/schemas/Thing' }";
  const GOOD = `responses: { '201': { description: Good., ${JSON_OF(THING)} } }`;
  const THINGS = `openapi: 3.1.1
info: { title: Things, version: '1' }
components:
  schemas:
    Thing:
      type: object
      properties: { thingNo: { type: string }, id: { type: string }, name: { type: string }, size: { type: integer }, colour: { type: string } }
    Named: { type: object, properties: { name: { type: string } } }
paths:
  /things:
    post:
      operationId: addThing
      security: []
      requestBody: { content: { application/json: { schema: ${THING} } } }
      ${GOOD}
  /chosen:
    post:
      operationId: addChosen
      security: []
      requestBody:
        content:
          application/json:
            schema:
              allOf: [{ $ref: '#/components/schemas/Named' }]
              oneOf:
                - { type: object, required: [size], properties: { size: { type: integer } } }
                - { type: object, required: [colour], properties: { colour: { type: string } } }
      ${GOOD}
  /forms:
    post:
      operationId: addForm
      security: []
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { name: { type: string }, size: { type: integer } } }
      ${GOOD}
  /things/{thingNo}:
    parameters: [{ name: thingNo, in: path, required: true, schema: { type: string } }]
    get: { operationId: readThing, security: [], responses: { '200': { description: Good., ${JSON_OF(THING)} } } }
    put:
      operationId: putThing
      security: []
      requestBody: { content: { application/json: { schema: ${THING} } } }
      ${GOOD}
`;
  const KINDS = `kinds:
  thing: { id: { thingNo: 't-{hex 4}' }, fields: { name: Made up, size: ~, colour: ~ } }
operations:
  addThing: { create: thing }
  addChosen: { create: thing }
  addForm: { create: thing }
  readThing: { read: thing }
  putThing: { create: thing }
`;
  const things = (name: string): Promise<Mock> =>
    library(name, { 'spec/openapi.yaml': THINGS, 'mocks/entities.yaml': KINDS });

  test('a created record keeps the members of every alternative of its body', async () => {
    await using mock = await things('alternatives');
    for (const sent of [
      { name: 'A', size: 3 },
      { name: 'B', colour: 'red' },
    ]) {
      const made = await ask(mock, 'POST', '/chosen', sent);
      expect(made.body).toEqual({ thingNo: expect.any(String), ...sent });
      expect((await ask(mock, 'GET', `/things/${made.body.thingNo}`)).body).toEqual(made.body);
    }
  });

  test('a created record keeps the fields of a form', async () => {
    await using mock = await things('forms');
    const body = new URLSearchParams({ name: 'A', size: '3' });
    const made = (await (await mock.fetch('/forms', { method: 'POST', body })).json()) as { thingNo: string };
    expect(made).toEqual({ thingNo: expect.any(String), name: 'A', size: 3 });
    expect((await ask(mock, 'GET', `/things/${made.thingNo}`)).body).toEqual(made);
  });

  test('a created record gets the id of its body, unless another record has it', async () => {
    await using mock = await things('chosen-id');
    expect((await ask(mock, 'POST', '/things', { thingNo: 'mine' })).body.thingNo).toBe('mine');
    expect((await ask(mock, 'GET', '/things/mine')).status).toBe(200);
    for (const thingNo of ['mine', '']) {
      const { body } = await ask(mock, 'POST', '/things', { thingNo });
      expect(body.thingNo).toMatch(/^t-[0-9a-f]{4}$/);
    }
  });

  test('a created record gets the id of its body under the name that bodies use', async () => {
    const entities = KINDS.replace('fields: {', "hidden: [thingNo], fields: { id: '{thingNo}',");
    await using mock = await library('renamed-id', { 'spec/openapi.yaml': THINGS, 'mocks/entities.yaml': entities });
    expect((await ask(mock, 'POST', '/things', { id: 'mine' })).body).toEqual({ id: 'mine', name: 'Made up' });
    expect((await ask(mock, 'GET', '/things/mine')).body.id).toBe('mine');
    const { body } = await ask(mock, 'POST', '/things', { id: 'mine' });
    expect((await ask(mock, 'GET', `/things/${body.id}`)).body).toEqual(body);
  });

  test('an id is a number if bodies have it as an integer under another name', async () => {
    const document = THINGS.replace('id: { type: string }, name', 'id: { type: integer }, name');
    const entities = KINDS.replace('fields: {', "hidden: [thingNo], fields: { id: '{thingNo}',").replace(
      't-{hex 4}',
      '{digits 3}',
    );
    await using mock = await library('numbered', { 'spec/openapi.yaml': document, 'mocks/entities.yaml': entities });
    const { body } = await ask(mock, 'POST', '/things', { name: 'A' });
    expect(body).toEqual({ id: expect.any(Number), name: 'A' });
    expect((await ask(mock, 'GET', `/things/${body.id}`)).body).toEqual(body);
  });

  test('a PUT that creates uses the id of its path, and replaces a record that is there', async () => {
    await using mock = await things('put');
    expect((await ask(mock, 'PUT', '/things/mine', { thingNo: 'other', size: 1 })).body).toMatchObject({
      thingNo: 'mine',
      size: 1,
    });
    await ask(mock, 'PUT', '/things/mine', { colour: 'red' });
    expect((await ask(mock, 'GET', '/things/mine')).body).toEqual({ thingNo: 'mine', name: 'Made up', colour: 'red' });
    expect((await ask(mock, 'GET', '/things/other')).status).toBe(404);
  });
});

describe('a refusal whose body the contract documents', () => {
  const refusing = (type: string, schema: string): string =>
    SPEC.replace(
      /(operationId: readBook[\s\S]*?responses: \{)/,
      `$1 '404': { description: None., content: { ${type}: { schema: ${schema} } } },`,
    );
  const CODE = '{ type: object, required: [code], properties: { code: { const: NO_BOOK } } }';

  test('an unknown record gets that body, and a header has the reason', async () => {
    const spec = refusing('application/json', CODE);
    await using mock = await library('refusal', { 'mocks/entities.yaml': ENTITIES, 'spec/openapi.yaml': spec });
    const { status, body, headers } = await ask(mock, 'GET', '/books/none');
    expect([status, body, headers.get('content-type')]).toEqual([404, { code: 'NO_BOOK' }, 'application/json']);
    expect(headers.get('x-mock-warning')).toMatch(/^refused: there is no book of this bookNo here/);
    const why = await ask(mock, 'GET', '/__mock/why?seq=1');
    expect(why.body.message).toContain('there is no book');
  });

  test('an unknown record gets the problem of the mock if no value fits its schema', async () => {
    const spec = refusing('application/json', '{ allOf: [{ type: string }, { type: integer }] }');
    await using mock = await library('refusal without', { 'mocks/entities.yaml': ENTITIES, 'spec/openapi.yaml': spec });
    const { status, body } = await ask(mock, 'GET', '/books/none');
    expect([status, body.title]).toEqual([404, 'No resource has this id']);
  });
});

describe('the Location of a created record', () => {
  const locating = (headers: string, content: string): string =>
    SPEC.replace(
      /(operationId: addBook[\s\S]*?2XX: \{ description: Good\.), content: .*/,
      `$1, headers: { Location: ${headers} }${content} } }`,
    );
  const BOOK = ", content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }";

  test.each([
    ['an example', '{ schema: { type: string }, example: /books/b-9 }', BOOK],
    ['a format', '{ schema: { type: string, format: uri-reference } }', BOOK],
    ['only a type', '{ schema: { type: string } }', BOOK],
    ['an absolute example', '{ schema: { type: string }, example: https://api.example/v1/books/b-9 }', BOOK],
    ['an example, without a body', '{ schema: { type: string }, example: /books/b-9 }', ''],
  ])('leads to the record if the contract has %s', async (name, headers, content) => {
    const files = { 'mocks/entities.yaml': ENTITIES, 'spec/openapi.yaml': locating(headers, content) };
    await using mock = await library(`location of ${name}`, files);
    const { headers: answered } = await ask(mock, 'POST', '/books', { title: 'Located' });
    const location = answered.get('location') ?? '';
    expect(location).toMatch(name.includes('absolute') ? /^http:\/\/[^/]+\/books\/b-/ : /^\/books\/b-/);
    const { pathname } = new URL(location, 'http://localhost');
    expect((await ask(mock, 'GET', pathname)).body.title).toBe('Located');
  });
});

describe('a record that contradicts the schema of the answer', () => {
  const strict = (schema: string): string => SPEC.replace('    Book:\n', `    Book:\n      ${schema}\n`);
  const answerTo = async (mock: Mock, path: string) => {
    const { body, headers } = await ask(mock, 'GET', path);
    return { body, warning: headers.get('x-mock-warning') };
  };
  const files = { 'mocks/entities.yaml': ENTITIES, 'mocks/seed.yaml': SEED };

  test('keeps what fits, and the answer has a warning for the rest', async () => {
    const needsPages = { ...files, 'spec/openapi.yaml': strict('required: [pages]') };
    await using mock = await library('needs-pages', needsPages);
    const warning =
      "parts are made up, because the record contradicts the contract: it must have required property 'pages'";
    const book = { bookNo: 'b-1', shelfNo: 's-1', title: 'One', rare: false, pages: null };
    expect(await answerTo(mock, '/books/b-1')).toEqual({ body: book, warning });
    expect((await answerTo(mock, '/books')).body).toEqual([book]);
  });

  test('is not shown if the answer has another shape', async () => {
    const inEnvelope = SPEC.replace(
      /(operationId: readBook[\s\S]*schema: )\{.*?\} \}/,
      '$1{ type: object, required: [data], properties: { data: { type: object } } } }',
    );
    await using mock = await library('envelope', { ...files, 'spec/openapi.yaml': inEnvelope });
    expect((await answerTo(mock, '/books/b-1')).body).toEqual({ data: {} });
  });
});
