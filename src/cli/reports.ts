import { resolve } from 'node:path';
import { secretsFrom } from '../config/environment.ts';
import { createRedactor } from '../http/redact.ts';
import { readHistory } from '../report/history.ts';
import type { Report } from '../report/report.ts';
import type { WriteOptions } from '../report/write.ts';
import type { Args, Io } from './command.ts';
import { terminalOf } from './terminal.ts';

/** What reports are written with, as the process and its environment have it. */
export function reportOptions(io: Io): WriteOptions {
  const { env } = io;
  const secrets = secretsFrom(env);
  const inActions = env.GITHUB_ACTIONS === 'true';
  return {
    stdout: io.stdout,
    redactor: createRedactor(secrets),
    // tokens are left out: no output of ours holds one, and this would be the one that does
    masks: inActions && io.stdout.isFile !== true ? secrets.credentials.map(({ password }) => password) : [],
    // a CI system names files relative to its checkout
    root: env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR || io.cwd,
    summaryFile: env.GITHUB_STEP_SUMMARY || undefined,
    ...terminalOf(io),
  };
}

/** The reports of the folder of `--history`, with a note on stderr for each file that is none; null without the flag. */
export async function historyOf(
  args: Args,
  io: Io,
): Promise<{ readonly folder: string; readonly reports: readonly Report[] } | null> {
  const flag = args.text('history');
  if (flag === undefined) return null;
  const folder = resolve(io.cwd, flag);
  const { reports, notes } = await readHistory(folder);
  for (const note of notes) io.stderr.write(`${note}\n`);
  return { folder, reports };
}
