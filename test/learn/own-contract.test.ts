import { describe, expect, test } from 'vitest';
import type { ContractFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/judge/judge.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather, sightingsOf } from '../../src/learn/sightings.ts';
import type { Call } from '../../src/model/call.ts';
import { call } from '../judge/calls.ts';
import { answers, api, contractFolder } from '../support/api.ts';

function folderOf(schema: object, schemas: object = {}): Promise<ContractFolder> {
  const paths = { '/a': { get: { operationId: 'getA', ...answers(schema) } } };
  return contractFolder(api(paths, { security: [], components: { schemas } }));
}

const callsOf = (values: readonly unknown[]): Call[] => values.map((json) => call('getA', { json }, { auth: 'none' }));

async function record(folder: ContractFolder, values: readonly unknown[], over?: string): Promise<string> {
  return makeRecording(await loadContract({ folder }), gather(sightingsOf(callsOf(values))), { over }).text;
}

/** The findings of later answers, by a recording. */
async function findings(folder: ContractFolder, text: string, values: readonly unknown[]): Promise<string[]> {
  const contract = await loadContract({ folder, overlays: [{ file: 'recording.yaml', text }] });
  expect(contract.notices).toEqual([]);
  const judged = judge({ contract, calls: callsOf(values), redact: (one) => one });
  return judged.findings.map(({ severity, rule, pointer }) => `${severity} ${rule} ${pointer}`).sort();
}

describe('a field that is new since the recording is a warning', () => {
  const TOTAL = { type: 'object', properties: { total: { type: 'integer' } } };

  test.each<[where: string, schema: object, wrap: (object: object) => unknown]>([
    ['in a schema in its place', TOTAL, (one) => one],
    ['in a schema behind a reference', { $ref: '#/components/schemas/Total' }, (one) => one],
    ['in a field', { type: 'object', properties: { a: TOTAL } }, (a) => ({ a })],
    ['in a list', { type: 'array', items: TOTAL }, (one) => [one]],
    [
      'in a schema of several parts',
      { allOf: [{ $ref: '#/components/schemas/Total' }, { type: 'object' }] },
      (one) => one,
    ],
  ])('%s', async (_, schema, wrap) => {
    const folder = await folderOf(schema, { Total: TOTAL });
    const text = await record(folder, [wrap({ total: 1 })]);
    expect(await findings(folder, text, [wrap({ total: 2 })])).toEqual([]);
    expect(await findings(folder, text, [wrap({ total: 1, next: 'x' })])).toEqual([
      expect.stringMatching(/^warning unrecorded-field .*\/next$/),
    ]);
    expect(await record(folder, [wrap({ total: 1 })], text)).toBe(text);
  });
});

test('a form is enforced after enough different values, and only noted before', async () => {
  const folder = await folderOf({ type: 'object' });
  const uuid = (n: number): object => ({ site: `123e4567-e89b-42d3-a456-42661417400${n}` });
  const other = [{ site: 'nope' }, { site: 'neither' }];
  const noted = await record(folder, [uuid(1)]);
  expect(noted).toContain('x-seen: { values: 1, form: uuid }');
  expect(await findings(folder, noted, other)).toEqual([]);
  const enforced = await record(folder, [1, 2, 3].map(uuid));
  expect(await findings(folder, enforced, other)).toEqual(['warning format-contradicted /site']);
});

describe('names in any language', () => {
  test.each<[recorded: readonly object[], later: object, found: readonly string[]]>([
    [[{ 名前: 'x', 年齢: 5 }], { 名前: 'y', 年齢: 6 }, []],
    [
      [
        { 名前: 'x', 年齢: 5 },
        { 名前: 'y', 年齢: 6 },
      ],
      { 名前: 5, 住所: 'x' },
      ['required-missing /年齢', 'type-contradicted /名前', 'unrecorded-field /住所'],
    ],
    [[{ id: 1, größe: 'L', name: 'x' }], { id: 1, größe: 5, name: 'x' }, ['type-contradicted /größe']],
    [[{ id: 1, größe: 'L', name: 'x' }], { id: 1, größe: 'L', name: 'x', neu: 'x' }, ['unrecorded-field /neu']],
    [[{ id: 1, 'first name': 'a' }], { id: 1 }, []],
    [[1, 2].map((id) => ({ id, 'first name': `a${id}` })), { id: 1 }, ['required-missing /first name']],
    // most objects have it
    [[{ id: 1, größe: 'L' }, { id: 2, größe: 'M' }, { id: 3 }], { id: 4, größe: 4 }, ['type-contradicted /größe']],
    [[{ id: 1, größe: 'L' }, { id: 2, größe: 'M' }, { id: 3 }], { id: 4 }, []],
  ])('are fields beside values of another type: %j', async (recorded, later, found) => {
    const folder = await folderOf({ type: 'object' });
    const text = await record(folder, recorded);
    expect(await findings(folder, text, [later, later])).toEqual(found.map((one) => `warning ${one}`));
    expect(await record(folder, recorded, text)).toBe(text);
  });

  test.each<[recorded: readonly object[], later: object]>([
    [[{ Äpfel: 3, Öl: 2.5 }], { Brötchen: 1 }],
    [[{ Äpfel: 3, Öl: null }], { Brötchen: 1 }],
    [[{ 'Jane Doe': { a: 1 } }], { 'John Doe': { a: 2 }, Zoë: { a: 3 } }],
    // one date in each answer, and other words in each
    [
      [
        { day: 'a', Äpfel: 3, Öl: 2 },
        { day: 'b', Nüsse: 1 },
      ],
      { day: 'c', Brötchen: 1 },
    ],
    [[{ id: 'a', '١٢٣٤': 1 }], { id: 'b', '١٢٣٥': 1 }],
    [[{ id: 'a', 'Konto 17': 1 }], { id: 'b', 'Konto 18': 1 }],
  ])('are keys of a map if the values have one type, or the names come and go: %j', async (recorded, later) => {
    const folder = await folderOf({ type: 'object' });
    const text = await record(folder, recorded);
    expect(await findings(folder, text, [later])).toEqual([]);
    for (const name of recorded.flatMap(Object.keys)) {
      if (!/^(?:id|day)$/.test(name)) expect(text).not.toContain(name);
    }
  });
});
