import { expect, test } from 'vitest';
import type { Contract, Operation } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { bodyFor } from '../../src/run/request.ts';

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
