import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../errors.ts';
import { THRESHOLDS } from '../../model/finding.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, filePaths, folderOf, noticeText } from '../contract.ts';
import { failOnFlag, openReports, REPORT_FLAG } from '../reports.ts';

export const command: Command = {
  synopsis: 'BEFORE AFTER',
  flags: {
    ...CONTRACT_FLAGS,
    overlay: { ...CONTRACT_FLAGS.overlay, help: 'overlay with the paths of operations, applied to both sides' },
    'fail-on': failOnFlag('lowest severity that counts as drift (error)'),
    report: REPORT_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'the two agree',
    [EXIT.findings]: 'findings at or above --fail-on',
    [EXIT.inconclusive]: 'the sides share no operation, or a part cannot be compared',
    [EXIT.interrupted]: 'interrupted; the report has the results so far',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const [before, after] = args.exactly(
    ['BEFORE', 'AFTER'],
    'Name two files: the old one and the new one.',
    'Example: banking-api diff recorded-in-may.yaml recorded-in-june.yaml',
  );
  const write = await openReports(args.list('report'), io);
  const { diff } = await import('../../diff/diff.ts');
  const notices = new Set<string>();
  const report = await diff({
    before: resolve(io.cwd, before),
    after: resolve(io.cwd, after),
    folder: await folderOf(args, io),
    overlays: filePaths(args, 'overlay', io),
    failOn: args.choice('fail-on', THRESHOLDS) ?? 'error',
    signal: io.signal,
    onNotice: (notice) => notices.add(noticeText([notice])),
  });
  io.stderr.write([...notices].join(''));
  return write(report);
}
