import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../errors.ts';
import { FORMAT_NAMES } from '../../report/formats.ts';
import { readReport } from '../../report/read.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { earlierRuns, openReports, PREVIOUS_FLAG } from '../reports.ts';

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
  const [format, file] = args.exactly(
    ['FORMAT', 'report.json'],
    'The format or the JSON report is missing.',
    'Example: banking-api report text report.json',
  );
  const write = await openReports([format], io);
  const report = await readReport(resolve(io.cwd, file));
  const earlier = await earlierRuns(args, io);
  await write(earlier.compare(report));
  return EXIT.agrees;
}
