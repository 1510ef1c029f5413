/**
 * Judges the corpus of callers in all three ways: `npm run corpus -- --repeat 20`. Prints the tables of docs/audit-corpus.md.
 * `--only NAME` selects one caller, habit or writer. After an interruption, only completed rows are printed.
 * Then it runs each writer through every loss of `survive`, and each reader through every change, for docs/survive.md.
 * Exits with 1 if it accuses a good caller, or misses a habit that the corpus lists.
 */
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GOOD, isHere, type Program, programs, WAYS, type Way } from '../test/audit/corpus/programs.ts';
import { judged } from '../test/audit/corpus/ways.ts';
import { evolveAll, READERS } from '../test/drive/readers.ts';
import { LIBRARIES, type SurvivalRow, surviveAll, WRITERS, type Writer } from '../test/drive/writers.ts';

const { values } = parseArgs({ options: { repeat: { type: 'string', default: '1' }, only: { type: 'string' } } });
const repeat = Number(values.repeat);
const cwd = fileURLToPath(new URL('../test/audit/callers/', import.meta.url));

/** A program, and in how many runs each way found its habit. */
interface Row extends Program {
  readonly found: Record<Way, number>;
  runs: number;
}

const rows = programs()
  .filter(({ name }) => (values.only ?? name) === name)
  .map((program): Row => ({ ...program, found: { drive: 0, mock: 0, journal: 0 }, runs: 0 }));
const [good, bad] = [rows.filter(({ rule }) => rule === null), rows.filter(({ rule }) => rule !== null)];
for (const { name, needs } of GOOD.filter((one) => !isHere(one))) console.error(`${name}: ${needs} is not here`);

let wrong = 0;
async function judge(row: Row, round: number): Promise<void> {
  const verdicts = await judged(row.command, cwd, row.situations);
  row.runs += 1;
  for (const way of WAYS) {
    const { findings } = verdicts[way];
    const isFound = row.rule === null ? findings.length > 0 : findings.some(({ rule }) => rule === row.rule);
    if (isFound) row.found[way] += 1;
    for (const { rule, message } of findings.filter((finding) => finding.rule !== row.rule)) {
      const label = row.rule === null ? 'FALSE' : 'beside it';
      console.error(`${label} in round ${round}: ${row.name}, ${way}: ${rule}: ${message}`);
    }
    const isMissed = !isFound && row.ways.includes(way);
    if (isMissed) console.error(`MISSED in round ${round}: ${row.name}, ${way}`);
    if (isMissed || (isFound && row.rule === null)) wrong += 1;
  }
  console.error(`${round}/${repeat} ${row.name}`);
}

let interrupted = false;
process.once('SIGINT', () => {
  interrupted = true;
});
for (let round = 1; round <= repeat; round += 1) for (const row of rows) if (!interrupted) await judge(row, round);

/** Each program with a count above zero, with its ways and numbers of runs; `none` if there is no program. */
function list(of: readonly Row[], count: (row: Row, way: Way) => number): string {
  const cells = of.map((row) => ({
    name: row.name,
    ways: WAYS.filter((way) => count(row, way) > 0).map((way) =>
      count(row, way) === row.runs ? way : `${way} ${count(row, way)} of ${row.runs}`,
    ),
  }));
  const some = cells.filter(({ ways }) => ways.length > 0).map(({ name, ways }) => `${name} (${ways.join(', ')})`);
  return some.join(', ') || 'none';
}

/** A row for each library, or for each rule. */
function rowsOf(of: readonly Row[]): string {
  return [...Map.groupBy(of, ({ what }) => what)]
    .map(([what, programs]) => `| ${what} | ${programs.map(({ name }) => name).join(', ')} |\n`)
    .join('');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const rounds = Math.min(...rows.map(({ runs }) => runs));
const accusations = sum(good.flatMap(({ found }) => Object.values(found)));
const verdicts = sum(good.map(({ runs }) => WAYS.length * runs));
const load = `load ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} processors at the end`;
console.log(`${rounds} rounds, ${verdicts} verdicts on good callers, ${accusations} false accusations; ${load}.

- Accused: ${list(good, ({ found }, way) => found[way])}
- Missed: ${list(bad, ({ found, runs }, way) => runs - found[way])}

| calls with | good callers |
|---|---|
${rowsOf(good)}
| rule | bad habits |
|---|---|
${rowsOf(bad)}
${wrong} wrong`);

async function outcomesOf(writer: Writer): Promise<SurvivalRow['outcomes']> {
  const { rules, outcomes } = await surviveAll(writer);
  if (rules.join() !== (writer.isSafe ? '' : 'write-done-twice')) {
    wrong += 1;
    console.error(`WRONG: ${writer.name}: ${rules.join(', ') || 'no finding'}`);
  }
  return outcomes;
}

const SHOWN = ['reset-after', 'late-act', 'cut', 'silence', 'bad-gateway-after', 'unavailable-before'];
console.log(
  '\n| library | reset | act after the reset | cut | late | 502 | 503, not done |\n|---|---|---|---|---|---|---|',
);
for (const writer of WRITERS.filter((one) => isHere(one) && (values.only ?? one.name) === one.name)) {
  const outcomes = await outcomesOf(writer);
  const { library } = writer;
  if (!LIBRARIES.includes(writer)) continue;
  console.log(`| ${[library, ...SHOWN.map((loss) => outcomes.get(loss) ?? 'not run')].join(' | ')} |`);
}
console.log('\n| program that | change that breaks it |\n|---|---|');
for (const reader of READERS.filter(({ name }) => (values.only ?? name) === name)) {
  const { breaks } = await evolveAll(reader);
  if (breaks.join() !== reader.breaks.join()) wrong += 1;
  console.log(`| ${reader.what} | ${breaks.map((id) => `\`${id}\``).join(', ') || 'none'} |`);
}
process.exitCode = wrong === 0 ? 0 : 1;
