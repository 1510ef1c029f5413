import { resolve } from 'node:path';
import { EXIT, type ExitCode, ToolError } from '../../errors.ts';
import { FORMAT_NAMES } from '../../report/formats.ts';
import { withHistory } from '../../report/history.ts';
import { readReport } from '../../report/read.ts';
import { writeReports } from '../../report/write.ts';
import type { Args, Command, Io } from '../command.ts';
import { historyOf, PREVIOUS_FLAG, previousOf, reportOptions, requestsOf } from '../reports.ts';

export const command: Command = {
  synopsis: `${FORMAT_NAMES.join('|')}[=FILE] report.json`,
  flags: {
    history: { value: 'DIR', help: 'folder with earlier JSON reports to compare with' },
    previous: PREVIOUS_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'the report was written, whatever its verdict',
    [EXIT.usage]: 'usage error, missing or unwritable file, or invalid report',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const [format, file, ...stray] = args.positionals;
  if (format === undefined || file === undefined || stray.length > 0) {
    throw new ToolError('usage', 'The format or the JSON report is missing.', {
      hint: 'Example: banking-api report text report.json',
    });
  }
  const requests = requestsOf([format], io);
  const report = await readReport(resolve(io.cwd, file));
  const history = await historyOf(args, io);
  const previous = await previousOf(args, io);
  const told =
    history === null && previous === null ? report : withHistory(report, history?.reports ?? [], previous ?? undefined);
  await writeReports(told, requests, reportOptions(io));
  return EXIT.agrees;
}
