import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContractFolder } from '../../src/contract/folder.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';

const ITEM = {
  type: 'object',
  required: ['serial', 'part'],
  properties: {
    serial: { type: 'string' },
    part: {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'number' }, colour: { type: 'string' } },
    },
    since: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' } },
    limits: { type: 'object', additionalProperties: { enum: [1, 2, 3] } },
    state: {
      oneOf: [
        { type: 'object', additionalProperties: false, properties: { kind: { const: 'new' } } },
        {
          type: 'object',
          required: ['kind', 'reason'],
          properties: { kind: { const: 'old' }, reason: { type: 'string' } },
        },
      ],
    },
  },
};

function read(operationId: string, responses: Readonly<Record<string, unknown>>): object {
  const content = Object.entries(responses).map(([status, schema]) => [
    status,
    { description: 'Good.', content: { 'application/json': { schema } } },
  ]);
  return { get: { operationId, 'x-effect': 'read', responses: Object.fromEntries(content) } };
}

/** A contract folder whose reference documents payloads, by status and by status class. */
export async function documentedFolder(directory: string): Promise<ContractFolder> {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1' },
    components: { schemas: { Item: ITEM } },
    paths: {
      '/item': read('getItem', { '200': ITEM }),
      '/items': read('listItems', { '2XX': { type: 'array', items: { $ref: '#/components/schemas/Item' } } }),
      '/shown': read('showItem', { '200': { $ref: '#/components/schemas/Item' } }),
    },
  };
  await mkdir(join(directory, 'spec'));
  await writeFile(join(directory, 'contract.yaml'), 'contract: 1\nname: shop\n');
  await writeFile(join(directory, 'spec', 'openapi.yaml'), JSON.stringify(document));
  return readContractFolder(directory);
}
