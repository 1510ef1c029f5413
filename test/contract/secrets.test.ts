import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { secretNames } from '../../src/contract/secrets.ts';
import { observed } from '../judge/observed.ts';

test('a contract adds secret names of fields, parameters and headers, directly and by reference', async () => {
  const overlay = observed(`  - target: "$.components.schemas"
    update:
      Hidden: { type: string, x-secret: true }
      Tree:
        type: object
        properties:
          nickname: { type: string, x-secret: true }
          open: { type: string, x-secret: false }
          motto: { $ref: '#/components/schemas/Hidden' }
          creed: { allOf: [{ $ref: '#/components/schemas/Hidden' }], description: Hidden as in OpenAPI 3.0. }
          leaves: { type: array, items: { type: object, properties: { sapling: { x-secret: true } } } }
  - target: "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get"
    update:
      parameters:
        - { name: favourite, in: query, x-secret: true, schema: { type: string } }
        - { name: X-Mood, in: header, schema: { type: string, x-secret: true } }
      responses:
        '200': { description: recorded, headers: { X-Taste: { x-secret: true, schema: { type: string } } } }
`);
  expect([...secretNames(await loadContract({ overlays: [overlay] }))].sort()).toEqual(
    'X-Mood X-Taste creed favourite motto nickname sapling'.split(' '),
  );
  expect(secretNames(await loadContract())).toEqual([]);
});
