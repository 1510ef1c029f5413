import { resolve } from 'node:path';
import { unlessMissing } from '../files/read.ts';
import { SEVERITIES } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import { createRedactor } from '../redact/redact.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { readHistory } from '../report/history.ts';
import { readReport } from '../report/read.ts';
import { parseReportRequests, type ReportRequest, type WriteOptions } from '../report/write.ts';
import type { Args, Flag, Io } from './command.ts';
import { secretsOf } from './secrets.ts';

export const REPORT_FLAG: Flag = {
  value: 'FORMAT[=FILE]',
  repeatable: true,
  help: `write a report to stdout or a file (text): ${FORMAT_NAMES.join(', ')}`,
};

export function failOnFlag(help: string): Flag {
  return { value: SEVERITIES.join('|'), help };
}

/** The reports that are asked for, their files absolute; text on stdout where none is. */
export function requestsOf(wanted: readonly string[], io: Io): ReportRequest[] {
  return parseReportRequests(wanted.length > 0 ? wanted : ['text']).map(({ format, file }) => ({
    format,
    file: file === null ? null : resolve(io.cwd, file),
  }));
}

export function reportOptions(io: Io): WriteOptions {
  const { env, stdout, stderr } = io;
  const known = secretsOf(io);
  const inActions = env.GITHUB_ACTIONS === 'true';
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const forbidden = Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  return {
    stdout,
    redactor: createRedactor(known),
    // tokens are left out: no output of ours holds one, and this would be the one that does
    masks:
      inActions && stdout.isFile !== true
        ? [...known.credentials.map(({ password }) => password), ...known.secrets]
        : [],
    // a CI system names files relative to its checkout
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

/** The report of `--previous`; null without the flag, and with a note on stderr where there is none yet. */
export async function previousOf(args: Args, io: Io): Promise<Report | null> {
  const flag = args.text('previous');
  if (flag === undefined) return null;
  const file = resolve(io.cwd, flag);
  const report = await unlessMissing(readReport(file), null);
  if (report === null) io.stderr.write(`Previous: ${file} does not exist, so nothing is compared.\n`);
  return report;
}

/** The reports of the folder of `--history`, with a note on stderr for each file that is none; null without the flag. */
export async function historyOf(
  args: Args,
  io: Io,
): Promise<{ readonly folder: string; readonly reports: readonly Report[] } | null> {
  const flag = args.text('history');
  if (flag === undefined) return null;
  const folder = resolve(io.cwd, flag);
  const { reports, notes } = await readHistory(folder, io.signal);
  for (const note of notes) io.stderr.write(`${note}\n`);
  return { folder, reports };
}
