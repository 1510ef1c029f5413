import type { AuditOptions } from '../../audit/judge-caller.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { type Finding, SEVERITIES } from '../../model/finding.ts';
import type { Check } from '../../model/report.ts';
import { createRedactor } from '../../redact/redact.ts';
import { makeReport, nothingKnown } from '../../report/make-report.ts';
import { weakening } from '../../report/notices.ts';
import { shellWord } from '../../report/shell.ts';
import { untriedIn, verdictLine, warningsOf } from '../../report/words/verdict.ts';
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
    evolve: {
      value: 'hostile|CHANGE',
      optional: true,
      repeatable: true,
      help: 'change answers as the contract allows instead of losing them; hostile also removes optional members',
    },
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
    [EXIT.agrees]: 'no write was done twice or lost silently; with --evolve, every change was tolerated',
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
  const [{ judgeCallerInSlices }, { EVOLUTION_RULES, WRITE_RULES }, given] = await Promise.all([
    import('../../audit/judge-caller.ts'),
    import('../../audit/rules.ts'),
    driveOptions(args, io, load),
  ]);
  const options = { ...given, ...(intentKey && { intentKey }), ...(outcome && { outcome }) };
  const lose = async (): Promise<Tried> => {
    const { recordingsOf, survive, surviveChecks, worstOf } = await import('../../drive/survive.ts');
    const survived = await survive(options);
    const { contract, interrupted, lost } = survived;
    const checksOf: Tried['checksOf'] = (findings) => surviveChecks(survived, { findings });
    return {
      contract,
      interrupted,
      recordings: recordingsOf(lost),
      rules: WRITE_RULES,
      checksOf,
      worst: worstOf(lost),
    };
  };
  const change = async (): Promise<Tried> => {
    const { evolutionChecks, evolutionRecordings, evolve } = await import('../../drive/evolve.ts');
    const isHostile = args.list('evolve').includes('hostile');
    const only = args.list('evolve').filter((id) => id !== 'hostile');
    const evolved = await evolve({ ...options, isHostile, only });
    const { contract, interrupted } = evolved;
    const recordings = evolutionRecordings(evolved, (ids) => againWith(args, ids));
    const checksOf = () => evolutionChecks(evolved);
    return { contract, interrupted, recordings, rules: EVOLUTION_RULES, checksOf, worst: null };
  };
  const judge = async () => {
    const { contract, recordings, rules: judging, worst, ...tried } = await (args.switch('evolve') ? change() : lose());
    io.stderr.write(noticeText(contract.notices));
    const audited = await judgeCallerInSlices({ contract, recordings, rules: judging }, io.signal);
    const { findings, rules, callers, advice } = audited;
    const checks = tried.checksOf(failing(audited, failOn));
    const notices = weakening(contract.notices);
    const outcomes = { findings, rules, callers, advice, checks, notices, interrupted: tried.interrupted };
    const report = makeReport({ ...about, ...outcomes, endedAt: Date.now() });
    const untried = untriedIn(report);
    if (report.exitCode === EXIT.findings && worst !== null) io.why?.([worst, ...untried].join('; '));
    else if (warningsOf(report).length > 0 || untried.length > 0) io.why?.(verdictLine(report));
    return report;
  };
  return write(await judge().catch((thrown) => nothingKnown(thrown, { ...about, endedAt: Date.now() })));
}

interface Tried extends Required<AuditOptions> {
  readonly interrupted: boolean;
  readonly checksOf: (failing: readonly Finding[]) => Check[];
  /** The write with the most executions beyond its intents. */
  readonly worst: string | null;
}

/** The same command with these changes only. */
function againWith(args: Args, ids: readonly string[]): string {
  const flags = ['contract', 'spec', 'overlay', 'intent-key', 'outcome', 'timeout', 'env'].flatMap((name) =>
    args.list(name).map((value) => `--${name}=${value}`),
  );
  const isHostile = args.list('evolve').includes('hostile');
  const evolve = [...(isHostile ? ['hostile'] : []), ...ids].map((id) => `--evolve=${id}`);
  const inherited = args.switch('inherit-env') ? ['--inherit-env'] : [];
  const words = ['banking-api', 'survive', ...flags, ...inherited, ...evolve, '--', ...args.rest];
  return createRedactor().text(words.map((literal) => shellWord([{ literal }])).join(' '));
}
