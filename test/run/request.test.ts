import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Contract, Operation } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { createReach } from '../../src/contract/paths.ts';
import { bodyFor, destinationOf, inventedParameters } from '../../src/run/request.ts';
import { contractOf } from '../contract/support.ts';
import { api } from '../support/api.ts';

const operation = (contract: Contract, id: string): Operation => {
  const found = contract.operation(id);
  if (found === undefined) throw new Error(id);
  return found;
};

test("a request body is the overlay's example, or the known ids of the schema, or absent", async () => {
  const plain = await loadContract();
  const known = { clientId: 'cl', cardProgramme: 'p', cardId: 'k' };
  expect(bodyFor(plain, operation(plain, 'issueNewCard'), known)).toEqual({ cardProgramme: 'p' });
  expect(bodyFor(plain, operation(plain, 'updateCard'), known)).toBe(undefined);
  expect(bodyFor(plain, operation(plain, 'getToken'), known)).toBe(undefined);
  const text = `overlay: 1.0.0
info: { title: t, version: 1.0.0 }
actions:
  - target: "$.paths['/wallet/api/customers/{customerId}/cards'].post.requestBody.content['application/json']"
    update: { example: { cardProgramme: business, cardLimitDaily: 100 } }
`;
  const own = await loadContract({ overlays: [{ file: 'own.yaml', text }] });
  expect(bodyFor(own, operation(own, 'issueNewCard'), known)).toEqual({
    cardProgramme: 'business',
    cardLimitDaily: 100,
  });
});

const contractWith = (path: string, parameters: readonly object[], components = {}): Promise<Contract> => {
  const get = { operationId: 'getA', security: [], parameters, responses: { 200: { description: 'D' } } };
  return contractOf(api({ [path]: { get } }, { components }));
};

test.each([
  ['matrix', { type: 'string' }, 'blue/x;y', '/a/;p=blue%2Fx%3By/b'],
  ['label', { type: 'array' }, '["a,","b"]', '/a/.a%2C,b/b'],
  ['simple', { type: 'object' }, '{"R":100,"G":"2="}', '/a/R=100,G=2%3D/b'],
])('the delimiters of a %s path parameter are sent literally', async (style, schema, value, target) => {
  const parameter = { name: 'p', in: 'path', required: true, style, schema, explode: style === 'simple' };
  const contract = await contractWith('/a/{p}/b', [parameter]);
  expect(destinationOf(operation(contract, 'getA'), { p: value }).target).toBe(target);
});

test('the embedded mock gets the first example of a parameter that its schema accepts, or else a made value', async () => {
  const examples = { wrong: { value: '300' }, right: { $ref: '#/components/examples/right' } };
  const own = { schema: { type: 'integer', minimum: 200, multipleOf: 200 }, in: 'query', required: true };
  const parameters = [
    { ...own, name: 'chosen', examples },
    { ...own, name: 'made', example: 300 },
  ];
  const contract = await contractWith('/a', parameters, { examples: { right: { value: 400 } } });
  expect(inventedParameters(contract, 'getA')).toEqual({ chosen: '400', made: '200' });
});

test('a value of any style fills exactly one segment of a path', async () => {
  const names = ['matrix', 'label', 'simple'];
  const parameters = names.map((style) => ({ name: style, in: 'path', required: true, style, schema: {} }));
  const contract = await contractWith('/{matrix}/{label}/{simple}', parameters);
  const reach = createReach(contract.operations);
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.array(fc.constantFrom('..', '/', 'a;', ',')).map((list) => JSON.stringify(list)),
  );
  fc.assert(
    fc.property(value, (text) => {
      const { target, parameters } = destinationOf(operation(contract, 'getA'), {
        matrix: text,
        label: text,
        simple: text,
      });
      if (target !== null) expect(reach(target)?.map(({ pathParameters }) => pathParameters)).toEqual([parameters]);
      expect(new URL(target ?? '/', 'http://a').pathname).toBe(target ?? '/');
    }),
  );
});

test('a cookie is encoded where a cookie cannot contain its text', async () => {
  const schema = { type: 'array' };
  const parameters = [
    { name: 'a', in: 'cookie', required: true, schema: {} },
    { name: 'b', in: 'cookie', required: true, schema, explode: false },
  ];
  const contract = await contractWith('/a', parameters);
  const { headers } = destinationOf(operation(contract, 'getA'), { a: 's%3Ax==; ü', b: '["c","d e"]' });
  expect(headers).toEqual([['cookie', 'a=s%3Ax==%3B%20%C3%BC; b=c,d%20e']]);
});
