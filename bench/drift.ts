/**
 * Detection rate of drift: `npm run bench:drift [-- --runs N] [--whole N] [--quick] [--only WORDS]`.
 *
 * It runs every change of the corpus through the calls of `verify` and its judge, one of each kind through a whole
 * `verify`, and every kind of outage. An unchanged target runs N times (100) with other data each time, and `--whole`
 * (100) times through a whole `verify`. In the calm nights at the end (`nights.ts`), each red night is a false alarm.
 * Exits with 1 after a missed change or a false alarm.
 */
import { parseArgs } from 'node:util';
import type { Change } from '../test/corpus/change.ts';
import { KINDS } from '../test/corpus/changes.ts';
import { type Known, recordStandIn } from '../test/corpus/drive.ts';
import { type Result, tryChange, tryWhole } from '../test/corpus/measure.ts';
import { WEATHER } from '../test/corpus/weather.ts';
import { printNights } from './nights.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    whole: { type: 'string', default: '100' },
    quick: { type: 'boolean', default: false },
    /** Only kinds of changes whose title contains these words. */
    only: { type: 'string', default: '' },
  },
});

interface Tally {
  readonly cases: number;
  readonly found: number;
  readonly missed: number;
  readonly falseAlarms: number;
  /** Findings of the cases that have any, and the number of real changes in those cases. */
  readonly told: number;
  readonly causes: number;
}

const UNCHANGED: Change = { name: 'unchanged', finds: [] };
const { bare, recorded } = await recordStandIn();
const troubles: string[] = [];
let seed = 10_000;

async function tally(
  title: string,
  changes: readonly Change[],
  attempt: (change: Change, known: Known, seed: number) => Promise<Result>,
): Promise<Tally> {
  let found = 0;
  let missed = 0;
  let falseAlarms = 0;
  let told = 0;
  let causes = 0;
  const first = seed + 1;
  seed += changes.length;
  // Most cases wait for a silent target.
  const results = await inParallel(changes, (change, index) =>
    attempt(change, change.unrecorded === true ? bare : recorded, first + index),
  );
  for (const [change, result] of results) {
    if (change.finds.length > 0) {
      told += result.told;
      causes += change.causes ?? 1;
    }
    if (result.missed.length === 0) found += 1;
    else missed += 1;
    if (result.falseAlarms.length > 0) falseAlarms += 1;
    for (const one of result.missed) troubles.push(`missed       ${title} | ${change.name} | ${one}`);
    for (const one of result.falseAlarms) troubles.push(`false alarm  ${title} | ${change.name} | ${one}`);
  }
  const numbers = { cases: changes.length, found, missed, falseAlarms, told, causes };
  console.log(row(title, numbers));
  return numbers;
}

function row(title: string, { cases, found, missed, falseAlarms, told, causes }: Tally): string {
  const perCause = causes === 0 ? '–' : (told / causes).toFixed(2);
  return `${title.padEnd(72)}${[cases, found, missed, falseAlarms, perCause].map((cell) => String(cell).padStart(8)).join('')}`;
}

const AT_ONCE = 6;

/** Runs some cases in parallel. The results are in the order of the cases. */
async function inParallel<T, R>(list: readonly T[], attempt: (one: T, index: number) => Promise<R>): Promise<[T, R][]> {
  const results: [T, R][] = [];
  const left = list.entries();
  const work = async (): Promise<void> => {
    for (const [index, one] of left) results[index] = [one, await attempt(one, index)];
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

function sum(tallies: readonly Tally[]): Tally {
  const of = (name: keyof Tally): number => tallies.reduce((total, one) => total + one[name], 0);
  return {
    cases: of('cases'),
    found: of('found'),
    missed: of('missed'),
    falseAlarms: of('falseAlarms'),
    told: of('told'),
    causes: of('causes'),
  };
}

const times = (count: string | undefined): Change[] => Array.from({ length: Number(count) }, () => UNCHANGED);

console.log(`${''.padEnd(72)}   cases   found  missed   false   /cause`);
const started = performance.now();
const tallies: Tally[] = [];
const kinds = KINDS.filter(({ kind }) => kind.includes(values.only));
for (const { kind, changes } of kinds) tallies.push(await tally(kind, changes, tryChange));
if (values.only === '') tallies.push(await tally('harmless weather', WEATHER, tryChange));
tallies.push(await tally('an unchanged target, other data each time', times(values.runs), tryChange));
if (!values.quick) {
  const whole = [...KINDS.flatMap(({ changes }) => changes), ...WEATHER].filter((change) => change.whole);
  tallies.push(await tally('whole runs of verify: changes and weather', whole, tryWhole));
  tallies.push(await tally('whole runs of verify: an unchanged target', times(values.whole), tryWhole));
}
const red = await printNights(values.quick ? [1] : [1, 2, 3]);
const all = sum(tallies);
console.log(row('in all', all));
const changed = tallies.slice(0, kinds.length);
const { cases, found, told, causes } = sum(changed);
console.log(
  `\nrecall ${((100 * found) / cases).toFixed(1)} % of ${cases} changes, ${all.falseAlarms} false alarms, ${(told / causes).toFixed(2)} findings per cause`,
);
for (const trouble of troubles) console.log(trouble);
console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = all.missed + all.falseAlarms + red > 0 ? 1 : 0;
