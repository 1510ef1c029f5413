/**
 * Judges the corpus of callers in all three ways and prints what was found where: `npm run corpus -- --repeat 20`.
 * `--only NAME` takes one caller or habit, `--good` only the good ones, `--at-once N` judges so many programs beside
 * each other,
 * `--write FILE` writes the table between the marks of a page, `--keep DIR` the journals of each good caller that was
 * accused.
 * An interruption leaves out what has not begun. Ends with 1 where a good caller was accused, or a habit was not found
 * where the corpus says.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GOOD, isHere, type Program, programs, WAYS, type Way } from '../test/audit/corpus/programs.ts';
import { judged } from '../test/audit/corpus/ways.ts';

const { values } = parseArgs({
  options: {
    repeat: { type: 'string', default: '1' },
    only: { type: 'string' },
    good: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '1' },
    write: { type: 'string' },
    keep: { type: 'string' },
  },
});
const repeat = Number(values.repeat);
const cwd = fileURLToPath(new URL('../test/audit/callers/', import.meta.url));
const startedAt = Date.now();

/** A program, and in how many of its runs each way found what is looked for. */
interface Row extends Program {
  readonly found: Record<Way, number>;
  runs: number;
}

const rows = programs()
  .filter(({ name, rule }) => (values.only ?? name) === name && (rule === null || !values.good))
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
    const isAccused = isFound && row.rule === null;
    if (isMissed || isAccused) wrong += 1;
    if (isAccused && values.keep !== undefined) {
      mkdirSync(values.keep, { recursive: true });
      const lines = verdicts.entries.map((entries) => entries.map((entry) => JSON.stringify(entry)).join('\n'));
      writeFileSync(join(values.keep, `${row.name}-${round}.ndjson`), lines.join('\n\n'));
    }
  }
  console.error(`${Math.round((Date.now() - startedAt) / 1000)} s ${round}/${repeat} ${row.name}`);
}

const queue = Array.from({ length: repeat }, (_, index) => rows.map((row) => ({ row, round: index + 1 }))).flat();
process.once('SIGINT', () => queue.splice(0));
await Promise.all(
  Array.from({ length: Number(values['at-once']) }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await judge(next.row, next.round);
  }),
);

const rounds = Math.min(...rows.map(({ runs }) => runs));
const accusations = good.reduce((sum, { found }) => sum + found.drive + found.mock + found.journal, 0);
const verdicts = good.reduce((sum, { runs }) => sum + WAYS.length * runs, 0);
const load = `load ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} processors at the end`;
/** Each program with a count above zero, with its ways and its numbers of runs; `none` if there is no such program. */
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
const table = [
  `${rounds} ${rounds === 1 ? 'repetition' : 'repetitions'}, ${verdicts} verdicts on good callers, ${accusations} false accusations; ${load}.`,
  '',
  `- Accused: ${list(good, ({ found }, way) => found[way])}`,
  `- Missed: ${list(bad, ({ found, runs }, way) => runs - found[way])}`,
  '',
  '| calls with | good callers |',
  '|---|---|',
  ...rowsOf(good),
  '',
  '| rule | bad habits |',
  '|---|---|',
  ...rowsOf(bad),
].join('\n');

/** A row for each library, or for each rule. */
function rowsOf(of: readonly Row[]): string[] {
  return [...Map.groupBy(of, ({ what }) => what)].map(
    ([what, programs]) => `| ${what} | ${programs.map(({ name }) => name).join(', ')} |`,
  );
}

console.log(table);
if (values.write !== undefined) {
  const page = readFileSync(values.write, 'utf8');
  const marks = /(<!-- corpus -->\n)[\s\S]*?(<!-- \/corpus -->)/;
  writeFileSync(
    values.write,
    page.replace(marks, (_, open: string, end: string) => `${open}\n${table}\n\n${end}`),
  );
}
console.error(`${Math.round((Date.now() - startedAt) / 1000)} s, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
