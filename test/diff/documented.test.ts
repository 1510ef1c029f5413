import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { diff } from '../../src/diff/diff.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather } from '../../src/learn/sightings.ts';
import type { Json } from '../../src/schema/json.ts';
import { documentedFolder } from './documented.ts';

const directory = await mkdtemp(join(tmpdir(), 'documented-'));
afterAll(() => rm(directory, { recursive: true }));
const folder = await documentedFolder(directory);
const contract = await loadContract({ folder });
const ITEM = {
  serial: 'x',
  part: { code: 1, colour: 'red' },
  since: '2026-01-01',
  tags: ['new'],
  limits: { day: 1, maximum: 2 },
  state: { kind: 'old', reason: 'x' },
};
let files = 0;

/** A recording of single items and of a list with these items, on top of an older recording if there is one. */
async function recorded(items: readonly Json[], over?: string): Promise<{ file: string; text: string }> {
  const answers = [
    ...items.flatMap((value): [string, Json][] => ['getItem', 'showItem'].map((id) => [id, value])),
    ['listItems', items] as [string, Json],
  ];
  const sightings = answers.map(([operationId, value]) => ({
    ...{ operationId, status: 200, type: 'application/json', json: { value }, empty: false },
  }));
  const { text } = makeRecording(contract, gather(sightings), { over });
  files += 1;
  const file = join(directory, `${files}.yaml`);
  await writeFile(file, text);
  return { file, text };
}

async function compared(before: string, after: string): Promise<string[]> {
  const { findings, checks } = await diff({ before, after, folder });
  expect(checks.map(({ operationId, outcome }) => [operationId, outcome !== 'skipped'])).toEqual(
    ['getItem', 'listItems', 'showItem'].map((operationId) => [operationId, true]),
  );
  return findings.flatMap(({ rule, severity, parts, ...own }) =>
    (parts ?? [own]).map(({ operationId, pointer }) => `${severity} ${rule} ${operationId}${pointer}`),
  );
}

test('diff compares operations with documented payloads with themselves without a finding', async () => {
  const { file } = await recorded([ITEM]);
  expect(await compared(file, file)).toEqual([]);
  expect(await compared(folder.spec, folder.spec)).toEqual([]);
  expect(await compared(folder.spec, file)).toEqual([]);
});

test.each<[string, Json, string[]]>([
  ['an optional field is missing', { ...ITEM, tags: undefined as never }, ['warning required-missing /tags']],
  ['a required field is missing', { ...ITEM, serial: undefined as never }, ['error required-missing /serial']],
  ['a nested field is missing', { ...ITEM, part: { code: 1 } }, ['warning required-missing /part/colour']],
  ['a type changed', { ...ITEM, serial: 7 }, ['error type-contradicted /serial']],
  ['a format changed', { ...ITEM, since: 'today' }, ['error format-contradicted /since']],
  [
    'a value of a map differs',
    { ...ITEM, limits: { night: 'all' } },
    ['warning type-contradicted /limits/*', 'error value-contradicted /limits/*'],
  ],
  ['an object became a string', { ...ITEM, part: 'red' }, ['error type-contradicted /part']],
])('diff of two recordings of a documented payload finds that %s', async (_, item, wanted) => {
  // a field of one record may be missing in the next
  const before = await recorded([ITEM, { ...ITEM, serial: 'y', part: { code: 2, colour: 'blue' } }]);
  const after = await recorded([JSON.parse(JSON.stringify(item)) as Json]);
  const expected = wanted.flatMap((finding) =>
    ['getItem', 'listItems/*', 'showItem'].map((place) => finding.replace(' /', ` ${place}/`)),
  );
  expect((await compared(before.file, after.file)).toSorted()).toEqual(expected.toSorted());
});

test('a recording counts how often a required field was missing, and keeps the count on an update', async () => {
  const { serial: _, ...without } = ITEM;
  const before = await recorded([ITEM]);
  const after = await recorded([without], before.text);
  expect(after.text).toContain('serial: { x-seen: { in: 1, of: 2 } }');
  expect((await recorded([without], after.text)).text).toBe(after.text);
  expect(await compared(folder.spec, after.file)).toEqual(
    ['getItem', 'listItems/*', 'showItem'].map((place) => `error required-missing ${place}/serial`),
  );
});
