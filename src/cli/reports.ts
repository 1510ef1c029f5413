import { resolve } from 'node:path';
import { type ExitCode, ToolError } from '../errors.ts';
import { unlessMissing } from '../files/read.ts';
import { THRESHOLDS } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import type { Redactor } from '../redact/redact.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { discoveredIn, MAX_AGE, readHistory, unjudgedIn, withHistory } from '../report/history.ts';
import { digestIn } from '../report/id-digests.ts';
import { readReport } from '../report/read.ts';
import { assertReportsWritable, parseReportRequests, type WriteOptions, writeReports } from '../report/write.ts';
import { type Args, type Flag, usage } from './args.ts';
import type { Io } from './command.ts';
import { redactorOf, secretsOf } from './secrets.ts';

export const REPORT_FLAG: Flag = {
  value: 'FORMAT[=FILE]',
  repeatable: true,
  help: `write a report to stdout or a file (text): ${FORMAT_NAMES.join(', ')}`,
};

export function failOnFlag(help: string, thresholds: readonly string[] = THRESHOLDS): Flag {
  return { value: thresholds.join('|'), help };
}

/**
 * Opens the requested reports; the default is text on stdout. An unwritable file is an error now, not after the run.
 * @param inputs absolute paths of files that no report may replace
 * @returns writes them and resolves to the exit code of the report
 */
export async function openReports(
  wanted: readonly string[],
  io: Io,
  redactor?: Redactor,
  inputs: readonly (string | undefined)[] = [],
): Promise<(report: Report) => Promise<ExitCode>> {
  const requests = parseReportRequests(wanted.length > 0 ? wanted : ['text']).map(({ format, file }) => ({
    format,
    file: file === null ? null : resolve(io.cwd, file),
  }));
  for (const { file } of requests)
    if (file !== null && inputs.includes(file))
      throw new ToolError('file-unwritable', 'It is an input of this run, so that no report replaces it.', {
        place: { file },
      });
  await assertReportsWritable(requests);
  return async (report) => {
    await writeReports(report, requests, { ...optionsOf(io), ...(redactor && { redactor }) });
    return report.exitCode;
  };
}

function optionsOf(io: Io): WriteOptions {
  const { env, stdout, stderr } = io;
  const known = secretsOf(io);
  const inActions = env.GITHUB_ACTIONS === 'true';
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const forbidden = Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  return {
    stdout,
    redactor: redactorOf(io),
    // tokens are left out: no output of ours holds one, and this list would print them
    masks:
      inActions && stdout.isFile !== true
        ? [...known.credentials.map(({ password }) => password), ...known.secrets]
        : [],
    // CI systems expect files relative to their checkout
    root: env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR || io.cwd,
    summaryFile: env.GITHUB_STEP_SUMMARY || undefined,
    color: forced || (stdout.isTTY === true && !forbidden),
    columns: stdout.isTTY === true ? stderr.columns : undefined,
  };
}

export const PREVIOUS_FLAG: Flag = {
  value: 'FILE',
  help: 'JSON report to compare with (the last one in --history with a verdict)',
};

export const HISTORY_FLAGS: Readonly<Record<string, Flag>> = {
  history: { value: 'DIR', help: 'folder with earlier JSON reports to compare with; this one is added' },
  'max-age': { value: 'DAYS', help: `ask to record again if a tenth of the known fields are older (${MAX_AGE})` },
};

export async function earlierRuns(args: Args, io: Io) {
  const folder = args.value('history', (path) => resolve(io.cwd, path)) ?? null;
  const file = args.value('previous', (path) => resolve(io.cwd, path));
  const { reports, notes } = folder === null ? { reports: [], notes: [] } : await readHistory(folder, io.signal);
  const previous = file === undefined ? null : await unlessMissing(readReport(file), null);
  for (const note of notes) io.stderr.write(`${note}\n`);
  if (file !== undefined && previous === null) {
    io.stderr.write(`Previous: ${file} does not exist, so nothing is compared.\n`);
  }
  const maxAge = args.integer('max-age', { min: 1, max: 3650 });
  if (maxAge !== undefined && folder === null) throw usage('--max-age needs --history DIR, which has the dates.');
  const isAlone = folder === null && previous === null;
  return {
    folder,
    /** What the last nights of a target could not judge either. */
    unjudged: (baseUrl: string) => unjudgedIn(reports, baseUrl, Date.now()),
    /** What discovery needs to use the ids of the last night again. */
    inputs: async (baseUrl: string) =>
      folder === null ? {} : { identify: await digestIn(folder), ...discoveredIn(reports, baseUrl) },
    /** The report with its differences from these runs; without both flags, the report itself. */
    compare: (report: Report): Report =>
      isAlone ? report : withHistory(report, reports, previous ?? undefined, maxAge),
  };
}
