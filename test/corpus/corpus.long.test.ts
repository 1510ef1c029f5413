import { beforeAll, describe, expect, test, vi } from 'vitest';
import { KINDS } from './changes.ts';
import { type Known, recordStandIn } from './drive.ts';
import { tryChange, tryWhole } from './measure.ts';
import { WEATHER } from './weather.ts';

// Cases run beside each other, so that each takes as long as several on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let bare: Known;
let recorded: Known;
beforeAll(async () => {
  ({ bare, recorded } = await recordStandIn());
});

const NOTHING = { missed: [], falseAlarms: [] };

test('no change of the corpus is there twice, and each kind of them has a whole one', () => {
  const changes = KINDS.flatMap(({ kind, changes }) => changes.map(({ name }) => `${kind}: ${name}`));
  expect(new Set(changes).size).toBe(changes.length);
  expect(changes.length + WEATHER.length).toBeGreaterThanOrEqual(400);
  expect(KINDS.filter(({ changes }) => !changes.some(({ whole }) => whole))).toEqual([]);
});

for (const { kind, changes } of KINDS) {
  describe(`found, with nothing else: ${kind}`, () => {
    test.concurrent.each(changes.map((change, index) => [change.name, change, index] as const))(
      '%s',
      async (_, change, index) => {
        const known = change.unrecorded === true ? bare : recorded;
        expect(await tryChange(change, known, 2000 + index)).toMatchObject(NOTHING);
      },
    );
  });
}

test.concurrent.each(WEATHER.map((weather, index) => [weather.name, weather, index] as const))(
  'D2: weather is no finding and leaves nothing unclear: %s',
  async (_, weather, index) => {
    expect(await tryChange(weather, recorded, 3000 + index)).toMatchObject(NOTHING);
  },
);

test('an unchanged target whose data vary agrees with its recording, run after run', async () => {
  for (let seed = 4000; seed < 4010; seed += 1) {
    expect(await tryChange({ name: 'nothing', finds: [] }, recorded, seed), String(seed)).toMatchObject(NOTHING);
  }
});

test('a whole run says of a change, and of an unchanged target, what its calls and its judge say', async () => {
  const change = KINDS.flatMap(({ changes }) => changes).find(({ name }) => name === 'a field is gone');
  for (const one of [change, { name: 'nothing', finds: [] }]) {
    if (one === undefined) throw new Error('the corpus has lost a change');
    expect(await tryWhole(one, recorded, 5000), one.name).toMatchObject(NOTHING);
  }
});
