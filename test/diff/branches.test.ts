import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { diff } from '../../src/diff/diff.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather } from '../../src/learn/sightings.ts';
import type { Json } from '../../src/schema/json.ts';
import { answers, api, contractFolder } from '../support/api.ts';

const closed = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
});
const word = { type: 'string', enum: ['on', 'off'] };
const [cat, dog] = [closed({ lives: word }), closed({ tricks: word })];

test.each<[what: string, schema: object, seen: Json, other: Json]>([
  ['null', { anyOf: [cat, { type: 'null' }] }, { lives: 'on' }, { lives: 'idle' }],
  ['another member', { anyOf: [cat, dog] }, { tricks: 'on' }, { tricks: 'idle' }],
  [
    'another nested member',
    { oneOf: [closed({ pet: cat }), closed({ pet: dog })] },
    { pet: { tricks: 'on' } },
    { pet: { tricks: 'idle' } },
  ],
  [
    'other items',
    { anyOf: [dog, cat].map((items) => closed({ pets: { type: 'array', items } })) },
    { pets: [{ lives: 'on' }] },
    { pets: [{ lives: 'idle' }] },
  ],
])('diff of a recording with itself ignores a branch for %s', async (_, schema, seen, other) => {
  const folder = await contractFolder(api({ '/pets': { get: { operationId: 'list', ...answers(schema) } } }));
  const contract = await loadContract({ folder });
  const compared = async (json: Json): Promise<string[]> => {
    const sighting = {
      operationId: 'list',
      status: 200,
      type: 'application/json',
      json: { value: json },
      empty: false,
    };
    const file = join(folder.root, 'recording.yaml');
    await writeFile(file, makeRecording(contract, gather([sighting])).text);
    const { findings } = await diff({ before: file, after: file, folder });
    return findings.map(({ rule }) => rule);
  };
  expect(await compared(seen)).toEqual([]);
  // the recording contradicts each branch
  expect(await compared([other])).not.toEqual([]);
});
