import { EXIT, type ExitCode } from '../../errors.ts';
import { SEVERITIES } from '../../model/finding.ts';
import { makeReport, nothingKnown } from '../../report/make-report.ts';
import { weakening } from '../../report/notices.ts';
import { verdictLine, warningsOf } from '../../report/words/verdict.ts';
import { type Args, usage } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, filePaths, folderOf, noticeText } from '../contract.ts';
import { driveFlags, driveOptions, failing } from '../driving.ts';
import { INTENT_KEY_FLAG, intentKeyOf } from '../intent-key.ts';
import { failOnFlag, openReports, REPORT_FLAG } from '../reports.ts';

export const command: Command = {
  synopsis: '-- COMMAND…',
  flags: {
    'intent-key': INTENT_KEY_FLAG,
    outcome: {
      value: 'COMMAND',
      help: 'shell command that runs after the program and prints what became of each intent',
    },
    ...driveFlags(),
    ...CONTRACT_FLAGS,
    'fail-on': failOnFlag('lowest severity that fails the run (warning)'),
    report: REPORT_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'no write was done twice or lost silently',
    [EXIT.findings]: 'findings at or above --fail-on',
    [EXIT.usage]: 'usage error, unwritable file, or a program that cannot start',
    [EXIT.inconclusive]: 'inconclusive: the program is unstable, fails in normal traffic, or writes nothing',
    [EXIT.interrupted]: 'interrupted; the report has the results so far',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const failOn = args.choice('fail-on', SEVERITIES) ?? 'warning';
  const intentKey = intentKeyOf(args.text('intent-key'));
  const outcome = args.text('outcome');
  if (args.positionals.length > 0 || args.rest.length === 0)
    throw usage('survive needs a program after --. Example: survive -- node app.js.');
  if (outcome !== undefined && intentKey === undefined)
    throw usage('--outcome needs --intent-key, so that its lines can name an intent.');
  const write = await openReports(args.list('report'), io);
  const target = { kind: 'mock', baseUrl: 'embedded mock' } as const;
  const about = { command: 'survive', target, failOn, startedAt: Date.now() };
  const load = { folder: await folderOf(args, io), overlays: filePaths(args, 'overlay', io) };
  const [{ survive, surviveChecks, recordingsOf, worstOf }, { judgeCallerInSlices }, { WRITE_RULES }, options] =
    await Promise.all([
      import('../../drive/survive.ts'),
      import('../../audit/judge-caller.ts'),
      import('../../audit/rules.ts'),
      driveOptions(args, io, load),
    ]);
  const judge = async () => {
    const survived = await survive({ ...options, ...(intentKey && { intentKey }), ...(outcome && { outcome }) });
    const { contract, lost, interrupted } = survived;
    io.stderr.write(noticeText(contract.notices));
    const recordings = recordingsOf(lost);
    const audited = await judgeCallerInSlices({ contract, recordings, rules: WRITE_RULES }, io.signal);
    const { findings, rules, callers, advice } = audited;
    const checks = surviveChecks(survived, { findings: failing(audited, failOn) });
    const notices = weakening(contract.notices);
    const outcomes = { findings, rules, callers, advice, checks, notices, interrupted };
    const report = makeReport({ ...about, ...outcomes, endedAt: Date.now() });
    const worst = worstOf(lost);
    if (report.exitCode === EXIT.findings && worst !== null) io.why?.(worst);
    else if (warningsOf(report).length > 0) io.why?.(verdictLine(report));
    return report;
  };
  return write(await judge().catch((thrown) => nothingKnown(thrown, { ...about, endedAt: Date.now() })));
}
