import { resolve } from 'node:path';
import { SEVERITIES } from '../../drift/finding.ts';
import { EXIT, type ExitCode, ToolError } from '../../errors.ts';
import { FORMAT_NAMES } from '../../report/formats.ts';
import { assertReportsWritable, parseReportRequests, writeReports } from '../../report/write.ts';
import type { Args, Command, Io } from '../command.ts';
import { CONTRACT_FLAG, folderOf } from '../contract.ts';
import { noticeText } from '../notices.ts';
import { reportOptions } from '../reports.ts';

/** `banking-api diff`: what has changed between two recordings, or between a recording and a bundle. */
export const diffCommand: Command = {
  name: 'diff',
  summary: 'compare two recordings, or a recording and a bundle, by the rules of verify, without a network',
  synopsis: 'BEFORE AFTER',
  flags: {
    contract: CONTRACT_FLAG,
    overlay: { value: 'FILE', repeatable: true, help: 'overlay that locates operations, applied to both' },
    'fail-on': { value: SEVERITIES.join('|'), help: 'severity from which findings count as drift (error)' },
    report: {
      value: 'FORMAT[=FILE]',
      repeatable: true,
      help: `report as ${FORMAT_NAMES.join(', ')}, to stdout or a file (text)`,
    },
  },
  exits: {
    [EXIT.agrees]: 'the two agree',
    [EXIT.findings]: 'findings at or above --fail-on',
    [EXIT.usage]: 'wrong usage, or a file that cannot be read or written',
    [EXIT.contract]: 'the spec, a bundle or an overlay is invalid',
    [EXIT.inconclusive]: 'the two have no operation in common that could be compared',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const [before, after, ...stray] = args.positionals;
  if (before === undefined || after === undefined || stray.length > 0) {
    throw new ToolError('usage', 'Two files are needed: what was before, and what is now.', {
      hint: 'Such as: banking-api diff recorded-in-may.yaml recorded-in-june.yaml',
    });
  }
  const reports = args.list('report');
  const requests = parseReportRequests(reports.length > 0 ? reports : ['text']).map((request) => ({
    ...request,
    file: request.file === null ? null : resolve(io.cwd, request.file),
  }));
  await assertReportsWritable(requests);
  const { diff } = await import('../../runner/diff.ts');
  const notices = new Set<string>();
  const report = await diff({
    before: resolve(io.cwd, before),
    after: resolve(io.cwd, after),
    folder: await folderOf(args, io),
    overlays: args.list('overlay').map((file) => resolve(io.cwd, file)),
    failOn: args.choice('fail-on', SEVERITIES) ?? 'error',
    onNotice: (notice) => notices.add(noticeText([notice])),
  });
  io.stderr.write([...notices].join(''));
  await writeReports(report, requests, reportOptions(io));
  return report.exitCode;
}
