import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallersAre } from '../../audit/callers.ts';
import { type Audited, judgeCaller, type Recording } from '../../audit/judge-caller.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ContractFolder } from '../../contract/folder.ts';
import { secretNames } from '../../contract/secrets.ts';
import { fetchMockJournal } from '../../drive/mock-journal.ts';
import { judgeSettled, type Reading, type SettleOptions } from '../../drive/settled.ts';
import { EXIT, type ExitCode, formatPlace, ToolError } from '../../errors.ts';
import { readHar } from '../../journal/har/read.ts';
import { readJournal } from '../../journal/read.ts';
import type { JournalEntry } from '../../journal/write.ts';
import { SEVERITIES } from '../../model/finding.ts';
import type { Check, Report } from '../../model/report.ts';
import { makeReport } from '../../report/make-report.ts';
import { assertReportsWritable, writeReports } from '../../report/write.ts';
import type { Args, Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, filesOf, folderOf, folderText, loadAnnounced, noticeText } from '../contract.ts';
import { REPORT_FLAG, reportOptions, requestsOf } from '../reports.ts';

/** `banking-api audit`: judges a caller, by what it sent or by what it does when it is driven. */
export const auditCommand: Command = {
  name: 'audit',
  summary: 'judge a caller: from a journal, a capture, or by driving it',
  synopsis: '[JOURNAL] [-- COMMAND…]',
  flags: {
    from: { value: 'FILE', help: 'judge a HAR capture of a browser or proxy' },
    mock: { value: 'URL', help: 'judge the journal of a running mock' },
    drive: { help: 'start a mock and run COMMAND against it, once per situation' },
    callers: { value: 'WHOSE', help: 'what is not linked by a token is of one program, or by-connection of several' },
    timeout: { value: 'SECONDS', help: 'with --drive: time for each situation (30)' },
    ...CONTRACT_FLAGS,
    'fail-on': { value: 'SEVERITY', help: 'exit with 1 from this severity on: error, warning or info (error)' },
    report: REPORT_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'the caller keeps to the contract',
    [EXIT.findings]: 'findings at or above --fail-on',
    [EXIT.usage]: 'wrong usage, a journal that cannot be read, a program that cannot be started',
    [EXIT.contract]: 'the spec or an overlay cannot be loaded',
    [EXIT.inconclusive]: 'inconclusive: the caller sent nothing that could be judged',
    [EXIT.interrupted]: 'interrupted',
  },
  run,
};

/** The contract that is gone by. */
interface Load {
  readonly folder: ContractFolder;
  readonly overlays: readonly string[];
}

/** What was judged, and what the report says of where it came from. */
interface Judged {
  readonly audited: Audited;
  readonly target: Report['target'];
  readonly checks: readonly Check[];
  readonly interrupted: boolean;
}

async function run(args: Args, io: Io): Promise<ExitCode> {
  const failOn = args.choice('fail-on', SEVERITIES) ?? 'error';
  const requests = requestsOf(args.list('report'), io);
  const source = sourceOf(args);
  await assertReportsWritable(requests);
  const startedAt = Date.now();
  const load = { folder: await folderOf(args, io), overlays: filesOf(args, 'overlay', io) };
  const judged =
    source.kind === 'drive' ? await judgeDriven(args, io, load) : await judgeRecorded(source, args, io, load);
  const { audited, ...rest } = judged;
  for (const note of audited.notes) io.stderr.write(`${note}\n`);
  const { findings, callers, rules } = audited;
  const outcome = { ...rest, findings, callers, rules };
  const report = makeReport({ command: 'audit', ...outcome, failOn, startedAt, endedAt: Date.now() });
  await writeReports(report, requests, reportOptions(io));
  return report.exitCode;
}

type Source =
  | { readonly kind: 'drive' }
  | { readonly kind: 'mock'; readonly url: string }
  | { readonly kind: 'file'; readonly file: string; readonly har: boolean };

function sourceOf(args: Args): Source {
  const [file, ...more] = args.positionals;
  const from = args.text('from');
  const url = args.text('mock');
  const given = [file, from, url, args.switch('drive') ? 'drive' : undefined].filter((each) => each !== undefined);
  if (given.length !== 1 || more.length > 0) {
    throw usage('Name one thing to judge: a JOURNAL, --from FILE, --mock URL, or --drive -- COMMAND.');
  }
  if (args.switch('drive')) {
    if (args.text('callers') === 'by-connection')
      throw usage('With --drive all that is sent is the doing of one program.');
    if (args.rest.length === 0) throw usage('--drive wants the program after --, such as --drive -- node app.js.');
    return { kind: 'drive' };
  }
  if (args.rest.length > 0) throw usage('A program after -- is run with --drive only.');
  if (args.text('timeout') !== undefined) throw usage('--timeout goes with --drive.');
  if (url !== undefined) return { kind: 'mock', url };
  // a journal by --from and a capture as JOURNAL are clear as well
  if (from !== undefined) return { kind: 'file', file: from, har: !/\.(?:ndjson|jsonl)$/i.test(from) };
  return { kind: 'file', file: file ?? '', har: /\.har$/i.test(file ?? '') };
}

async function judgeRecorded(
  source: Exclude<Source, { kind: 'drive' }>,
  args: Args,
  io: Io,
  load: Load,
): Promise<Judged> {
  const callers = args.choice('callers', ['one', 'by-connection'] as const);
  const contract = await loadAnnounced(load, io);
  const { audited, target } = await auditedOf(source, callers, contract, io);
  if (audited.openUntil !== null && !io.signal.aborted) io.stderr.write(STILL_OPEN);
  const check: Check = {
    id: 'audit.traffic',
    operationId: null,
    kind: 'any',
    outcome: audited.calls === 0 ? 'inconclusive' : audited.findings.length > 0 ? 'failed' : 'passed',
    reason: audited.calls === 0 ? 'There is no call of the API in it.' : '',
    durationMs: 0,
  };
  return { audited, target, checks: [check], interrupted: io.signal.aborted };
}

const STILL_OPEN =
  'The journal is still being written: what may yet follow its last exchanges is held against nobody.\n';

async function auditedOf(
  source: Exclude<Source, { kind: 'drive' }>,
  callers: CallersAre | undefined,
  contract: Contract,
  io: Io,
): Promise<Pick<Judged, 'audited' | 'target'>> {
  const whose = callers === undefined ? {} : { callers };
  const judge = (recording: Recording): Audited => judgeCaller({ contract, recordings: [recording] });
  const settled = (read: SettleOptions['read'], more: () => Pick<Recording, 'callers'>): Promise<Audited> =>
    judgeSettled({
      read,
      judge: (recording) => judge({ ...recording, ...more() }),
      sleep: (ms) => sleep(ms, undefined, { signal: io.signal }).catch(() => {}),
      monotonic: () => performance.now(),
      signal: io.signal,
      onWait: (ms) =>
        io.stderr.write(`A retry may be under way: looking again for ${Math.ceil(ms / 1000)} s at most\n`),
    });
  const file = source.kind === 'file' ? resolve(io.cwd, source.file) : '';
  if (source.kind === 'mock') {
    let ofMock: Pick<Recording, 'callers'> = {};
    let told = false;
    const read = async (): Promise<Reading> => {
      const reading = await fetchMockJournal(source.url, { signal: io.signal });
      ofMock = reading.callers === undefined ? {} : { callers: reading.callers };
      if (!told) io.stderr.write(`Judging ${reading.entries.length} exchanges of the mock at ${source.url}\n`);
      told = true;
      return reading;
    };
    const audited = await settled(read, () => ({ ...ofMock, ...whose }));
    return { audited, target: { kind: 'mock', baseUrl: source.url } };
  }
  const target = { kind: 'journal', baseUrl: source.file } as const;
  if (source.har) {
    const capture = await readHar(file, contract.operations, secretNames(contract));
    const where = capture.baseUrl === '' ? '' : ` with ${capture.baseUrl}`;
    io.stderr.write(
      `Judging ${capture.entries.length} exchanges${where} of ${source.file}; ${capture.skipped} others are left out\n`,
    );
    return { audited: judge({ entries: capture.entries, callers: 'one', ...whose }), target };
  }
  let told = false;
  const onTorn = (line: number): void => {
    if (told) return;
    io.stderr.write(`${formatPlace({ file: source.file, line })}: The last line is cut off and left out.\n`);
  };
  const read = async (): Promise<Reading> => {
    const now = Date.now();
    const entries: JournalEntry[] = [];
    for await (const entry of readJournal(file, { onTorn })) entries.push(entry);
    if (!told) io.stderr.write(`Judging ${entries.length} exchanges of ${source.file}\n`);
    told = true;
    return { entries, now };
  };
  return { audited: await settled(read, () => whose), target };
}

async function judgeDriven(args: Args, io: Io, load: Load): Promise<Judged> {
  io.stderr.write(folderText(load.folder));
  const timeout = args.integer('timeout', { min: 1, max: 3_600 });
  const [{ drive }, { driveChecks }] = await Promise.all([
    import('../../drive/drive.ts'),
    import('../../drive/drive-checks.ts'),
  ]);
  const { driven, contract, interrupted } = await drive({
    command: args.rest,
    env: io.env,
    cwd: io.cwd,
    ...load,
    signal: io.signal,
    ...(timeout === undefined ? {} : { timeout }),
    onSituation: ({ title, requests }, number, of) => {
      io.stderr.write(`[${number}/${of}] ${title} (${requests} request${requests === 1 ? '' : 's'} wanted)\n`);
    },
    onLine: (line) => io.stderr.write(`  | ${line.replace(/\p{Cc}+/gu, ' ')}\n`),
  });
  const recordings = driven.map(({ recording }) => recording);
  io.stderr.write(noticeText(contract.notices));
  const audited = judgeCaller({ contract, recordings });
  const checks = driveChecks(driven, audited, contract);
  return { audited, target: { kind: 'mock', baseUrl: 'embedded mock' }, checks, interrupted };
}

function usage(message: string): ToolError {
  return new ToolError('usage', message, { hint: 'See banking-api audit --help.' });
}
