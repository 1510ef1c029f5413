import pactum from 'pactum';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { documentedSchemas } from '../../src/run/documented-schemas.ts';
import { change, folderWith } from '../contract/support.ts';

const SPEC = `openapi: 3.1.1
info: { title: T, version: '1' }
paths: {}
components:
  parameters:
    Size: { name: size, in: query, schema: { type: integer } }
  schemas:
    Tree:
      type: object
      required: [name, secret]
      properties:
        name: { type: string, pattern: '^[A-Z]' }
        secret: { type: string, writeOnly: true }
        kind: { enum: [oak, elm] }
        size: { $ref: '#/components/parameters/Size/schema' }
        branches: { type: array, items: { $ref: '#/components/schemas/Tree' } }
    Old: { allOf: [{ $ref: '#/components/schemas/Tree' }, { required: [age], properties: { age: { type: integer } } }] }
`;

async function schemas(): Promise<ReturnType<typeof documentedSchemas>> {
  const dir = await folderWith({ 'openapi.yaml': SPEC });
  const assumed = change('assumed', '$.components.schemas.Tree.properties', '{ height: { type: number } }');
  return documentedSchemas(await loadContract({ root: `${dir}/openapi.yaml`, overlays: [assumed] }));
}

test('documented schemas keep their references, and leave out assumptions and members that only requests have', async () => {
  expect(await schemas()).toEqual({
    Tree: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        secret: { type: 'string' },
        kind: { enum: ['oak', 'elm'] },
        size: {},
        branches: { type: 'array', items: { allOf: [{ $ref: '#/$defs/Tree' }] } },
      },
    },
    Old: {
      allOf: [{ allOf: [{ $ref: '#/$defs/Tree' }] }, { required: ['age'], properties: { age: { type: 'integer' } } }],
    },
  });
});

test("Pactum's validator follows their references", async () => {
  const known = await schemas();
  const judge = (json: object) => () => pactum.expect(json).should.have.jsonSchema({ ...known.Old, $defs: known });
  const branch = { name: 'b', branches: [{ name: 'c', branches: [] }] };
  expect(judge({ name: 'a', age: 7, branches: [branch] })).not.toThrow();
  expect(judge({ name: 'a', age: 7, branches: [{ name: 'b', branches: [{ name: 1 }] }] })).toThrow(
    '#/branches/0/branches/0/name',
  );
  expect(judge({ name: 'a' })).toThrow('#/age');
});
