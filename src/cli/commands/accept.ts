import { resolve } from 'node:path';
import { EXIT, type ExitCode, ToolError } from '../../errors.ts';
import { BASELINE, readTextFile, unlessMissing } from '../../files/read.ts';
import { writeWhole } from '../../files/write.ts';
import { type Baseline, isDate, isFor, parseBaseline } from '../../judge/baseline.ts';
import { acceptInto, pruneFrom } from '../../judge/baseline-write.ts';
import type { Finding } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { readReport } from '../../report/read.ts';
import { type Args, usage } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { redactorOf } from '../secrets.ts';

const BASELINE_FILE = 'banking-api.baseline.yaml';

export const command: Command = {
  synopsis: 'report.json',
  flags: {
    reason: { value: 'TEXT', help: 'why the findings are accepted (required unless only --prune)' },
    expires: {
      value: 'DATE',
      help: 'last day of the acceptance, for example 2026-12-31 (required unless only --prune)',
    },
    owner: { value: 'TEXT', help: 'who is responsible' },
    prune: { help: 'remove the stale entries of the report; alone, it accepts nothing' },
    fingerprint: {
      value: 'F',
      repeatable: true,
      help: 'accept only this finding, even an info or an accepted one (every error and warning)',
    },
    out: { value: 'FILE', help: `baseline to extend (${BASELINE_FILE})` },
  },
  exits: {
    [EXIT.agrees]: 'the baseline was written, or there was nothing to accept',
    [EXIT.usage]: 'usage error, invalid report or baseline, or unreadable or unwritable file',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const [name] = args.exactly(
    ['report.json'],
    'The JSON report is missing.',
    'Example: banking-api accept report.json --reason "fixed in 2.4" --expires 2026-12-31',
  );
  const { text: redact } = redactorOf(io);
  const report = await readReport(resolve(io.cwd, name));
  if (args.switch('prune') && !ACCEPTING.some((flag) => args.switch(flag))) return prune(report, args, io);
  const reason = redact(args.required('reason', 'why the findings are accepted'));
  const expires = lastDay(args.required('expires', 'the last day of the acceptance'));
  const owner = args.text('owner');
  if (args.switch('prune')) await prune(report, args, io);
  const findings = chosen(report, args.list('fingerprint'));
  const infos = report.findings.filter(({ severity }) => severity === 'info').length;
  const left = args.list('fingerprint').length > 0 || infos === 0 ? '' : ` ${infos} of severity info left out.`;
  if (findings.length === 0) {
    io.stderr.write(`This report has nothing to accept.${left}\n`);
    return EXIT.agrees;
  }

  const shown = args.text('out') ?? BASELINE_FILE;
  const file = resolve(io.cwd, shown);
  const old = await unlessMissing(readTextFile(file, BASELINE), null);
  const baseline = old === null || old.trim() === '' ? { entries: [] } : await parseBaseline(old, file);
  refuseOther(baseline, report, file);
  const known = baseline.entries;
  const by = { reason, expires, ...(owner === undefined ? {} : { owner: redact(owner) }) };
  await writeWhole(file, await acceptInto(old, findings, by));

  const before = new Set(known.map(({ fingerprint }) => fingerprint));
  const renewed = findings.filter(({ fingerprint }) => before.has(fingerprint)).length;
  io.stderr.write(
    `${shown}: ${findings.length - renewed} accepted, ${renewed} renewed, until ${expires}; ${known.length + findings.length - renewed} in all.${left}\n`,
  );
  return EXIT.agrees;
}

const ACCEPTING = ['reason', 'expires', 'owner', 'fingerprint'];

async function prune(report: Report, args: Args, io: Io): Promise<ExitCode> {
  const shown = args.text('out') ?? BASELINE_FILE;
  const file = resolve(io.cwd, shown);
  const text = await readTextFile(file, BASELINE);
  const baseline = await parseBaseline(text, file);
  refuseOther(baseline, report, file);
  const stale = new Set(report.stale.map(({ fingerprint }) => fingerprint));
  const gone = baseline.entries.filter(({ fingerprint }) => stale.has(fingerprint)).length;
  if (gone > 0) await writeWhole(file, await pruneFrom(text, stale));
  io.stderr.write(
    gone === 0
      ? `${shown}: the report lists no stale entry.\n`
      : `${shown}: ${gone} stale ${gone === 1 ? 'entry' : 'entries'} removed; ${baseline.entries.length - gone} left.\n`,
  );
  return EXIT.agrees;
}

function refuseOther(baseline: Baseline, { target }: Report, file: string): void {
  if (isFor(baseline, target)) return;
  throw new ToolError('usage', `This baseline is for ${baseline.target}, but the report is for ${target.baseUrl}.`, {
    place: { file },
    hint: 'Choose another file with --out.',
  });
}

function lastDay(text: string): string {
  if (!isDate(text)) {
    throw usage(`--expires must be a day like 2026-12-31, not ${JSON.stringify(text)}.`);
  }
  if (text < new Date().toISOString().slice(0, 10)) {
    throw usage(`--expires ${text} is in the past. Choose a later day.`);
  }
  return text;
}

function chosen(report: Report, fingerprints: readonly string[]): Finding[] {
  if (fingerprints.length === 0) return report.findings.filter(({ severity }) => severity !== 'info');
  const all = new Map(
    [...report.accepted.map(({ finding }) => finding), ...report.findings].map((each) => [each.fingerprint, each]),
  );
  return [...new Set(fingerprints)].map((fingerprint) => {
    const found = all.get(fingerprint);
    if (found !== undefined) return found;
    throw usage(`The report has no finding ${JSON.stringify(fingerprint)}.`, 'Copy the fingerprint from the report.');
  });
}
