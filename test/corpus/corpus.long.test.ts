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

/** A change of each promise about a green result. */
const WHOLE = [
  'a field is gone',
  'a token is accepted whatever its signature',
  'expires_in is ten times the life of the token',
  'another card than asked for',
  'a field is gone from every second answer',
  'the only recorded date-time became a date',
  'a format in every second answer only',
  'a documented date-time has no seconds, as ISO 8601 allows',
  'a transaction without a list operation',
  'cut at 52 %',
  'an object without any documented field',
  'a new field that the configuration calls harmless',
  'an enum has a new word',
  'a limit is wider',
];

test.each(WHOLE)('a whole run gives the same result as its calls and its judge: %s', async (name) => {
  const change = KINDS.flatMap(({ changes }) => changes).find((one) => one.name === name);
  if (change === undefined) throw new Error('the corpus has lost a change');
  const known = change.unrecorded === true ? bare : recorded;
  expect(await tryWhole(change, known, 5000)).toMatchObject(NOTHING);
});

test('a whole run finds nothing in an unchanged target', async () => {
  expect(await tryWhole({ name: 'nothing', finds: [] }, recorded, 5000)).toMatchObject(NOTHING);
});
