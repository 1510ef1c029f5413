/**
 * Judges the corpus of callers in all three ways and prints what was found where: `npm run corpus -- --repeat 20`.
 * `--only NAME` takes one caller or habit, `--good` only the good ones, `--write FILE` writes the table between the marks of a page.
 * Ends with 1 where a good caller was accused, or a habit was not found where the corpus says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BAD, GOOD, isHere, WAYS, type Way } from '../test/audit/corpus/programs.ts';
import { judged } from '../test/audit/corpus/ways.ts';

const { values } = parseArgs({
  options: {
    repeat: { type: 'string', default: '1' },
    only: { type: 'string' },
    good: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
});
const repeat = Number(values.repeat);
const cwd = fileURLToPath(new URL('../test/audit/callers/', import.meta.url));
const wanted = (name: string): boolean => values.only === undefined || values.only === name;
const startedAt = Date.now();
const elapsed = (): string => `${Math.round((Date.now() - startedAt) / 1000)} s`;
let wrong = 0;
let runs = 0;

interface Row {
  readonly name: string;
  readonly what: string;
  /** In how many repetitions each way found something. */
  readonly found: Record<Way, number>;
  readonly of: number;
}

const none = (): Record<Way, number> => ({ drive: 0, mock: 0, journal: 0 });
const good = new Map<string, Row>();
const bad = new Map<string, Row>();
for (let round = 1; round <= repeat; round += 1) {
  for (const { name, library, command, ...rest } of GOOD.filter((one) => wanted(one.name))) {
    if (!isHere(rest)) {
      console.error(`${name}: left out, ${rest.needs} is not here`);
      continue;
    }
    const row = good.get(name) ?? { name, what: library, found: none(), of: 0 };
    const verdicts = await judged(command, cwd);
    for (const way of WAYS) {
      runs += 1;
      const { findings } = verdicts[way];
      if (findings.length === 0) continue;
      row.found[way] += 1;
      wrong += 1;
      for (const { rule, message } of findings)
        console.error(`FALSE in round ${round}: ${name}, ${way}: ${rule}: ${message}`);
    }
    good.set(name, { ...row, of: row.of + 1 });
    console.error(`${elapsed()} ${round}/${repeat} ${name}`);
  }
  for (const { habit, rule, situations, ways, command } of values.good ? [] : BAD.filter((one) => wanted(one.habit))) {
    const row = bad.get(habit) ?? { name: habit, what: rule, found: none(), of: 0 };
    const verdicts = await judged(command, cwd, situations);
    for (const way of WAYS) {
      const rules = new Set(verdicts[way].findings.map((finding) => finding.rule));
      if (rules.has(rule)) row.found[way] += 1;
      else if (ways.includes(way)) {
        wrong += 1;
        console.error(`MISSED in round ${round}: ${habit}, ${way}`);
      }
      rules.delete(rule);
      if (rules.size > 0) console.error(`beside it in round ${round}: ${habit}, ${way}: ${[...rules].join(', ')}`);
    }
    bad.set(habit, { ...row, of: row.of + 1 });
    console.error(`${elapsed()} ${round}/${repeat} ${habit}`);
  }
  console.error(
    `round ${round} of ${repeat}: ${wrong} wrong so far, load ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} processors`,
  );
}

const cells = ({ found, of }: Row): string =>
  WAYS.map((way) => (found[way] === 0 ? '–' : found[way] === of ? 'found' : `${found[way]} of ${of}`)).join(' | ');
const accused = ({ found, of }: Row): string => WAYS.map((way) => `${found[way]} of ${of}`).join(' | ');
const table = [
  `${repeat} ${repeat === 1 ? 'repetition' : 'repetitions'}, ${runs} verdicts on good callers, ${[...good.values()].reduce((sum, { found }) => sum + WAYS.reduce((all, way) => all + found[way], 0), 0)} of them accused one; load ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} processors at the end.`,
  '',
  `| good caller | calls with | accused by ${WAYS.join(' | accused by ')} |`,
  '|---|---|---|---|---|',
  ...[...good.values()].map((row) => `| ${row.name} | ${row.what} | ${accused(row)} |`),
  '',
  `| bad habit | rule | ${WAYS.join(' | ')} |`,
  '|---|---|---|---|---|',
  ...[...bad.values()].map((row) => `| ${row.name} | ${row.what} | ${cells(row)} |`),
].join('\n');
console.log(table);
if (values.write !== undefined) {
  const page = readFileSync(values.write, 'utf8');
  writeFileSync(
    values.write,
    page.replace(
      /(<!-- corpus -->\n)[\s\S]*?(<!-- \/corpus -->)/,
      (_, open: string, close: string) => `${open}\n${table}\n\n${close}`,
    ),
  );
}
console.error(`${Math.round((Date.now() - startedAt) / 1000)} s, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
