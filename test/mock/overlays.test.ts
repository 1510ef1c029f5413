import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OverlaySource } from '../../src/contract/contract.ts';
import { readContractFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { compileContract } from '../../src/mock/compile/compile.ts';
import type { Mock, MockOptions } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { type Reply, type Sent, send } from './support/client.ts';

function overlay(provenance: string, actions: readonly { target: string; update: unknown }[]): OverlaySource {
  const document = { overlay: '1.0.0', 'x-provenance': provenance, info: { title: 'Test', version: '1' }, actions };
  return { file: 'test.overlay.yaml', text: JSON.stringify(document) };
}

async function served(
  options: MockOptions,
  check: (call: (sent: Sent) => Promise<Reply>, mock: Mock) => Promise<void>,
): Promise<void> {
  await using mock = await startMock({ anyToken: true, stateless: true, ...options });
  await check((sent) => send(mock, { ...sent, headers: { authorization: 'Bearer any', ...sent.headers } }), mock);
}

const CARD = '/wallet/api/customers/c/cards/x';
const card = "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get";

describe('an overlay', () => {
  test('of a tenant who knows the path of an operation moves it there; the guess goes', () =>
    served(
      {
        overlays: [
          overlay('documented', [
            {
              target: '$.paths',
              update: {
                '/v2/clients/{clientId}': {
                  parameters: [{ $ref: '#/components/parameters/clientId' }],
                  get: { operationId: 'getClient' },
                },
              },
            },
          ]),
        ],
      },
      async (call) => {
        const reply = await call({ path: '/v2/clients/client-2001' });
        expect([reply.status, reply.json().paymentProvider]).toEqual([200, 'external-payment-provider']);
        expect((await call({ path: '/iam/api/customers/c/clients/d' })).status).toBe(404);
      },
    ));

  test('of a recording that knows another shape teaches the mock: what was assumed gives way', () =>
    served(
      {
        overlays: [
          overlay('observed', [
            {
              target: "$.paths['/iam/api/customers/{customerId}/clients/{clientId}/users/create'].post.responses",
              update: {
                '201': {
                  description: 'seen',
                  content: {
                    'application/json': {
                      schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
                    },
                  },
                },
              },
            },
          ]),
        ],
      },
      async (call) => {
        const reply = await call({
          method: 'POST',
          path: '/iam/api/customers/c/clients/d/users/create',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        });
        expect([reply.status, typeof reply.json().id, reply.headers['x-mock-provenance']]).toEqual([
          201,
          'number',
          'observed',
        ]);
      },
    ));

  test('whose schema an assumed example contradicts is answered by one that was made to fit', () =>
    served(
      {
        overlays: [
          overlay('observed', [
            {
              target: '$.components.schemas.Card',
              update: { required: ['scheme'], properties: { scheme: { type: 'string', enum: ['visa'] } } },
            },
          ]),
        ],
      },
      async (call) => {
        const reply = await call({ path: CARD });
        expect([reply.status, reply.json().scheme]).toEqual([200, 'visa']);
        expect(reply.json().cardProgramme).toBe('business-debit');
      },
    ));

  test('with a parameter that says something has it judged', () =>
    served(
      {
        overlays: [
          overlay('documented', [
            {
              target: card,
              update: {
                parameters: [{ name: 'depth', in: 'query', required: true, schema: { type: 'integer', maximum: 5 } }],
              },
            },
          ]),
        ],
      },
      async (call) => {
        expect((await call({ path: `${CARD}?depth=3` })).status).toBe(200);
        expect((await call({ path: `${CARD}?depth=3` })).json()).toHaveProperty('token');
        // stock Prism answers 400 to a comma in a path
        expect((await call({ path: `/wallet/api/customers/a,b/cards/c'(d)*!?depth=3` })).status).toBe(200);
        for (const path of [CARD, `${CARD}?depth=x`, `${CARD}?depth=6`]) {
          const reply = await call({ path });
          expect([path, reply.status, reply.json().type]).toEqual([
            path,
            422,
            'https://banking-api-contract.invalid/problems/invalid-query',
          ]);
        }
      },
    ));

  test('with a second media type has it negotiated', () =>
    served(
      {
        overlays: [
          overlay('documented', [
            {
              target: `${card}.responses['2XX'].content`,
              update: { 'text/csv': { schema: { type: 'string' }, example: 'a,b' } },
            },
          ]),
        ],
      },
      async (call) => {
        const csv = await call({ path: CARD, headers: { accept: 'text/csv, application/json;q=0.5' } });
        expect([csv.headers['content-type'], csv.text]).toEqual(['text/csv', 'a,b']);
        expect((await call({ path: CARD })).json()).toHaveProperty('cardId');
        expect((await call({ path: CARD, headers: { accept: 'garbage' } })).status).toBe(200);
        expect((await call({ path: CARD, headers: { accept: 'image/png' } })).status).toBe(406);
      },
    ));

  test('with header fields of an answer shows them', () =>
    served(
      {
        stateless: false,
        overlays: [
          overlay('documented', [
            {
              target: `${card}.responses['2XX']`,
              update: {
                headers: {
                  'X-Request-Id': { schema: { type: 'string' }, example: 'r-1' },
                  ETag: { schema: { type: 'string', default: '"1"' } },
                  'X-Remaining': { schema: { type: 'integer', minimum: 7, maximum: 7 } },
                  'Content-Length': { schema: { type: 'integer' }, example: 3 },
                },
              },
            },
          ]),
        ],
      },
      async (call) => {
        const reply = await call({ path: '/wallet/api/customers/c/cards/card-4001' });
        const { etag, 'x-request-id': id, 'x-remaining': remaining } = reply.headers;
        expect([reply.status, id, etag, remaining]).toEqual([200, 'r-1', '"1"', '7']);
        expect(reply.json().cardId).toBe('card-4001');
      },
    ));

  test.each([
    [
      'of what documents parameters, header fields, another type and a shape of its own',
      async () => {
        const source = overlay('documented', [
          {
            target: "$.paths['/wallet/api/customers/{customerId}/accounts'].get",
            update: {
              parameters: [{ name: 'size', in: 'query', schema: { type: 'integer', default: 20 } }],
              responses: {
                '200': {
                  description: 'A page',
                  headers: { 'X-Total': { schema: { type: 'integer' } } },
                  content: {
                    'application/json': { schema: { type: 'object', properties: { items: { type: 'array' } } } },
                    'text/csv': { schema: { type: 'string' } },
                  },
                },
              },
            },
          },
        ]);
        return loadContract({ assumed: true, overlays: [source] });
      },
    ],
    [
      'of another API',
      async () => {
        const folder = await readContractFolder(join(packageRoot, 'examples/second-api'));
        return loadContract({ folder, assumed: true });
      },
    ],
  ] as const)('needs no Prism for the plain requests %s', async (_, load) => {
    const { plan } = await compileContract(await load());
    const others = plan.operations.filter(({ auth }) => auth !== 'issues');
    const byPrism = others.filter(({ prismJudges }) => prismJudges);
    expect(byPrism.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('with a body that is no JSON lets Prism judge it, and no bytes end the mock', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    const content = { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } };
    const target = "$.paths['/iam/api/customers/{customerId}/credentials/generateCustomerKey'].post";
    return served(
      { overlays: [overlay('documented', [{ target, update: { requestBody: { content } } }])] },
      async (call) => {
        const post = async (type: string, body: string): Promise<number> =>
          (
            await call({
              method: 'POST',
              path: '/iam/api/customers/c/credentials/generateCustomerKey',
              headers: { 'content-type': type },
              body,
            })
          ).status;
        const form = 'application/x-www-form-urlencoded';
        expect([
          await post(form, 'a=1'),
          await post(form, 'a=x'),
          await post(form, 'b=1'),
          await post(form, '%ZZ=1'),
          await post(form, 'a=%E0%A4%A'),
        ]).toEqual([200, 422, 422, 400, 400]);
        const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
        expect(await post('multipart/form-data; boundary=x', part)).toBe(200);
        for (const type of [
          'multipart/form-data',
          'multipart/form-data; boundary=',
          'multipart/form-data; boundary="',
          'multipart/form-data; boundary=y',
        ]) {
          for (const body of [part, '--', 'x', '--x\r\n\r\n']) expect(await post(type, body)).toBeLessThan(500);
        }
      },
    );
  });

  test('with a body schema is compiled at start', () =>
    served(
      {
        overlays: [
          overlay('documented', [
            { target: '$.components.schemas.IssueNewCardRequest', update: { required: ['cardDesign'] } },
          ]),
        ],
      },
      async (call) => {
        const issue = (body: string): Promise<Reply> =>
          call({
            method: 'POST',
            path: '/wallet/api/customers/c/cards',
            headers: { 'content-type': 'application/json' },
            body,
          });
        const reply = await issue('{}');
        expect([reply.status, reply.json().errors]).toEqual([
          422,
          [{ in: 'body', pointer: '/cardDesign', message: "must have required property 'cardDesign'" }],
        ]);
        expect((await issue('{"cardDesign":"x"}')).status).toBe(200);
      },
    ));
});

describe('M14: an overlay that cannot be used ends the start with its place', () => {
  test('broken, contradicting the reference, missing', async () => {
    await expect(startMock({ overlays: [{ file: 'broken.yaml', text: '{' }] })).rejects.toMatchObject({
      code: 'overlay-invalid',
      exitCode: 3,
      place: { file: 'broken.yaml' },
    });
    const lie = overlay('assumed', [
      { target: '$.components.schemas.Card.properties.token', update: { type: 'integer' } },
    ]);
    await expect(startMock({ overlays: [lie] })).rejects.toMatchObject({ code: 'overlay-invalid', exitCode: 3 });
    await expect(startMock({ overlays: ['no-such-file.yaml'] })).rejects.toMatchObject({
      code: 'file-missing',
      exitCode: 2,
    });
  });

  test('with a schema that does not compile', async () => {
    const bad = overlay('documented', [
      {
        target: '$.components.schemas.IssueNewCardRequest.properties',
        update: { odd: { type: 'text' } },
      },
    ]);
    await expect(startMock({ overlays: [bad] })).rejects.toMatchObject({ exitCode: 3 });
  });
});

test('a contract that was loaded already is served as it is, without the assumptions', async () => {
  const contract = await loadContract();
  await served({ contract }, async (call, mock) => {
    expect(await mock.contract()).toBe(contract);
    expect((await call({ path: '/iam/api/customers/c/clients' })).status).toBe(404);
    const reply = await call({ path: CARD });
    expect([reply.status, reply.headers['x-mock-provenance'], typeof reply.json().token]).toEqual([
      200,
      'documented',
      'string',
    ]);
    // no payload is documented
    const empty = await call({ method: 'PUT', path: '/iam/api/customers/c/clients/d/reject' });
    expect([empty.status, empty.text, empty.headers['content-length']]).toEqual([200, '', '0']);
  });
});
