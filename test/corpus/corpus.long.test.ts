import { beforeAll, describe, expect, test, vi } from 'vitest';
import { KINDS } from './changes.ts';
import { type Known, recordStandIn } from './drive.ts';
import { tryChange, tryWhole } from './measure.ts';
import { WEATHER } from './weather.ts';

// Cases run in parallel, so on a busy machine each takes as long as several.
vi.setConfig({ testTimeout: 120_000 });

let bare: Known;
let recorded: Known;
beforeAll(async () => {
  ({ bare, recorded } = await recordStandIn());
});

const NOTHING = { missed: [], falseAlarms: [] };

test('all changes of the corpus are unique, and each kind has one for a whole run', () => {
  const changes = KINDS.flatMap(({ kind, changes }) => changes.map(({ name }) => `${kind}: ${name}`));
  expect(new Set(changes).size).toBe(changes.length);
  expect(changes.length + WEATHER.length).toBeGreaterThanOrEqual(400);
  expect(KINDS.filter(({ changes }) => !changes.some(({ whole }) => whole))).toEqual([]);
});

for (const { kind, changes } of KINDS) {
  describe(`drift is found without false alarms: ${kind}`, () => {
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
  'D2: a transient failure gives no finding and no inconclusive check: %s',
  async (_, weather, index) => {
    expect(await tryChange(weather, recorded, 3000 + index)).toMatchObject(NOTHING);
  },
);

test('an unchanged target with varying data agrees with its recording in every run', async () => {
  for (let seed = 4000; seed < 4010; seed += 1) {
    expect(await tryChange({ name: 'nothing', finds: [] }, recorded, seed), String(seed)).toMatchObject(NOTHING);
  }
});

test('a whole run gives the same result as its calls and its judge, with and without a change', async () => {
  const change = KINDS.flatMap(({ changes }) => changes).find(({ name }) => name === 'a field is gone');
  for (const one of [change, { name: 'nothing', finds: [] }]) {
    if (one === undefined) throw new Error('the corpus has lost a change');
    expect(await tryWhole(one, recorded, 5000), one.name).toMatchObject(NOTHING);
  }
});
