/**
 * How well drift is found: `npm run bench:drift [-- --runs N] [--whole N] [--quick]`.
 *
 * Every change of the corpus by the calls of `verify` and its judge, one of each kind by a whole `verify`, every kind of weather, and
 * an unchanged target N times (100) with other data each time, and `--whole` (100) times more by a whole `verify`. Exit 1 where anything was
 * missed or alarmed falsely. At last months of calm nights (`nights.ts`), in which every red night is a false alarm.
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
  },
});

interface Tally {
  readonly cases: number;
  readonly found: number;
  readonly missed: number;
  readonly falseAlarms: number;
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
  for (const change of changes) {
    seed += 1;
    const result = await attempt(change, change.unrecorded === true ? bare : recorded, seed);
    if (result.missed.length === 0) found += 1;
    else missed += 1;
    if (result.falseAlarms.length > 0) falseAlarms += 1;
    for (const one of result.missed) troubles.push(`missed       ${title} | ${change.name} | ${one}`);
    for (const one of result.falseAlarms) troubles.push(`false alarm  ${title} | ${change.name} | ${one}`);
  }
  const numbers = { cases: changes.length, found, missed, falseAlarms };
  console.log(row(title, numbers));
  return numbers;
}

function row(title: string, { cases, found, missed, falseAlarms }: Tally): string {
  return `${title.padEnd(72)}${[cases, found, missed, falseAlarms].map((number) => String(number).padStart(8)).join('')}`;
}

function sum(tallies: readonly Tally[]): Tally {
  const of = (name: keyof Tally): number => tallies.reduce((total, one) => total + one[name], 0);
  return { cases: of('cases'), found: of('found'), missed: of('missed'), falseAlarms: of('falseAlarms') };
}

const times = (count: string | undefined): Change[] => Array.from({ length: Number(count) }, () => UNCHANGED);

console.log(`${''.padEnd(72)}   cases   found  missed   false`);
const started = performance.now();
const tallies: Tally[] = [];
for (const { kind, changes } of KINDS) tallies.push(await tally(kind, changes, tryChange));
tallies.push(await tally('harmless weather', WEATHER, tryChange));
tallies.push(await tally('an unchanged target, other data each time', times(values.runs), tryChange));
if (!values.quick) {
  const whole = [...KINDS.flatMap(({ changes }) => changes), ...WEATHER].filter((change) => change.whole);
  tallies.push(await tally('whole runs of verify: changes and weather', whole, tryWhole));
  tallies.push(await tally('whole runs of verify: an unchanged target', times(values.whole), tryWhole));
}
const red = await printNights(values.quick ? [1] : [1, 2, 3]);
const all = sum(tallies);
console.log(row('in all', all));
for (const trouble of troubles) console.log(trouble);
console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = all.missed + all.falseAlarms + red > 0 ? 1 : 0;
