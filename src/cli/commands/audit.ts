import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Audited, RecordedJournal } from '../../audit/judge-caller.ts';
import { createReducer } from '../../audit/traffic.ts';
import type { Contract } from '../../contract/contract.ts';
import { fetchMockJournal, type JournalSnapshot, judgeSettled } from '../../drive/live-journal.ts';
import { EXIT, type ExitCode, formatPlace, ToolError } from '../../errors.ts';
import { readHar } from '../../journal/har/read.ts';
import { readJournal } from '../../journal/read.ts';
import type { JournalEntry } from '../../journal/write.ts';
import { SEVERITIES, type Severity } from '../../model/finding.ts';
import type { Check, Report, ReportNotice } from '../../model/report.ts';
import { makeReport, nothingKnown } from '../../report/make-report.ts';
import { weakening } from '../../report/notices.ts';
import { verdictLine, warningsOf } from '../../report/words/verdict.ts';
import { type Args, usage } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, filePaths, folderOf, loadAnnounced, noticeText } from '../contract.ts';
import { driveFlags, driveOptions, failing, type Load } from '../driving.ts';
import { INTENT_KEY_FLAG, intentIn, intentKeyOf } from '../intent-key.ts';
import { failOnFlag, openReports, REPORT_FLAG } from '../reports.ts';

export const command: Command = {
  synopsis: '[JOURNAL] [-- COMMAND…]',
  flags: {
    from: { value: 'FILE', help: 'check a HAR capture from a browser or proxy' },
    mock: { value: 'URL', help: 'check the journal of a running mock' },
    drive: { help: 'start a mock and run COMMAND against it, once per situation' },
    callers: {
      value: 'WHOSE',
      help: 'overlapping connections: of one program, or by-connection of several',
    },
    'intent-key': INTENT_KEY_FLAG,
    ...driveFlags('with --drive: '),
    ...CONTRACT_FLAGS,
    'fail-on': failOnFlag('lowest severity that fails the run (error)', SEVERITIES),
    report: REPORT_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'the caller keeps the contract',
    [EXIT.findings]: 'findings at or above --fail-on',
    [EXIT.usage]: 'usage error, unreadable or unwritable file, or a program that cannot start',
    [EXIT.inconclusive]: 'inconclusive: the caller sent no API call',
    [EXIT.interrupted]: 'interrupted; the report has the results so far',
  },
  run,
};

interface JudgedCaller {
  readonly audited: Audited;
  readonly checks: readonly Check[];
  readonly interrupted: boolean;
  readonly notices: readonly ReportNotice[];
}

async function run(args: Args, io: Io): Promise<ExitCode> {
  const failOn = args.choice('fail-on', SEVERITIES) ?? 'error';
  const source = sourceOf(args);
  const write = await openReports(args.list('report'), io);
  const startedAt = Date.now();
  const load = { folder: await folderOf(args, io), overlays: filePaths(args, 'overlay', io) };
  const about = { command: 'audit', target: targetOf(source), failOn, startedAt };
  const judging =
    source.kind === 'drive' ? judgeDriven(args, io, load, failOn) : judgeRecorded(source, args, io, load, failOn);
  const report = await judging
    .then(({ audited, notices, ...rest }) => {
      for (const note of audited.notes) io.stderr.write(`${note}\n`);
      const remarks = audited.notes.map(
        (message): ReportNotice => ({ code: 'tokens-not-shown', message, location: null }),
      );
      const { findings, callers, rules, advice } = audited;
      const outcome = { ...rest, findings, callers, rules, advice, notices: [...notices, ...remarks] };
      return makeReport({ ...about, ...outcome, endedAt: Date.now() });
    })
    .catch((thrown) => nothingKnown(thrown, { ...about, endedAt: Date.now() }));
  if (warningsOf(report).length > 0) io.why?.(verdictLine(report));
  return write(report);
}

type AuditSource =
  | { readonly kind: 'drive' }
  | { readonly kind: 'mock'; readonly url: string }
  | { readonly kind: 'journal' | 'har'; readonly file: string };

function sourceOf(args: Args): AuditSource {
  const [file, ...more] = args.positionals;
  const from = args.text('from');
  const url = args.text('mock');
  const given = [file, from, url, args.switch('drive') ? 'drive' : undefined].filter((each) => each !== undefined);
  if (given.length !== 1 || more.length > 0) {
    throw usage('Name one source: a JOURNAL, --from FILE, --mock URL, or --drive -- COMMAND.');
  }
  if (args.switch('drive')) {
    if (args.text('callers') === 'by-connection')
      throw usage('--drive runs one program. Remove --callers by-connection.');
    if (args.rest.length === 0) throw usage('--drive needs a program after --. Example: --drive -- node app.js.');
    return { kind: 'drive' };
  }
  if (args.rest.length > 0) throw usage('A program after -- needs --drive.');
  if (args.text('timeout') !== undefined) throw usage('--timeout needs --drive.');
  if (args.list('env').length > 0 || args.switch('inherit-env')) throw usage('--env and --inherit-env need --drive.');
  if (args.switch('verbose')) throw usage('--verbose needs --drive.');
  if (url !== undefined) return { kind: 'mock', url };
  // a journal after --from, or a capture as JOURNAL, is unambiguous
  if (from !== undefined) return { kind: /\.(?:ndjson|jsonl)$/i.test(from) ? 'journal' : 'har', file: from };
  return { kind: /\.har$/i.test(file ?? '') ? 'har' : 'journal', file: file ?? '' };
}

function targetOf(source: AuditSource): Report['target'] {
  if (source.kind === 'drive') return { kind: 'mock', baseUrl: 'embedded mock' };
  return source.kind === 'mock' ? { kind: 'mock', baseUrl: source.url } : { kind: 'journal', baseUrl: source.file };
}

async function judgeRecorded(
  source: Exclude<AuditSource, { kind: 'drive' }>,
  args: Args,
  io: Io,
  load: Load,
  failOn: Severity,
): Promise<JudgedCaller> {
  const callers = args.choice('callers', ['one', 'by-connection'] as const);
  const key = intentKeyOf(args.text('intent-key'));
  const named = key && { intentOf: (write: JournalEntry) => intentIn(write, key) };
  const contract = await loadAnnounced(load, io);
  const cuts: ReportNotice[] = [];
  const { judgeCallerInSlices, newestText } = await import('../../audit/judge-caller.ts');
  const judge = (recording: RecordedJournal): Promise<Audited> =>
    judgeCallerInSlices({ contract, recordings: [{ ...recording, ...(callers && { callers }), ...named }] }, io.signal);
  const audited =
    source.kind === 'har'
      ? await judge(await readCapture(source.file, contract, io))
      : await judgeSettled({
          read:
            source.kind === 'mock'
              ? () => fetchMockJournal(source.url, { header: key?.name, interrupted: io.signal })
              : journalReader(source.file, io, key?.name, (notice) => cuts.push(notice)),
          onRead: ({ entries, forgotten }) => {
            const where = source.kind === 'mock' ? `the mock at ${source.url}` : source.file;
            io.stderr.write(`Checking ${entries.length} exchanges of ${where}\n`);
            if (forgotten === undefined) return;
            const message = newestText(entries.length, forgotten);
            io.stderr.write(`${message}\n`);
            cuts.push({ code: 'journal-cut-off', message, location: null });
          },
          judge,
          sleep: (ms) => sleep(ms, undefined, { signal: io.signal }).catch(() => {}),
          monotonic: () => performance.now(),
          signal: io.signal,
          onWait: () => io.stderr.write('A retry may be pending: checking for up to 11 s\n'),
        });
  if (audited.open && !io.signal.aborted) io.stderr.write(STILL_OPEN);
  const broken = new Set(failing(audited, failOn).map(({ rule }) => rule));
  const [outcome, reason] =
    audited.calls === 0
      ? (['inconclusive', 'The source contains no API call.'] as const)
      : broken.size > 0
        ? (['failed', `Broken: ${[...broken].join(', ')}.`] as const)
        : (['passed', ''] as const);
  const check: Check = { id: 'audit.traffic', operationId: null, kind: 'any', outcome, reason, durationMs: 0 };
  const notices = [...weakening(contract.notices), ...cuts];
  return { audited, checks: [check], interrupted: io.signal.aborted, notices };
}

const STILL_OPEN = 'The journal is still being written, so unfinished exchanges at its end cause no findings.\n';

function journalReader(
  file: string,
  io: Io,
  header: string | undefined,
  onCut: (notice: ReportNotice) => void,
): () => Promise<JournalSnapshot> {
  let isLater = false;
  const onTorn = (line: number): void => {
    if (isLater) return;
    const message = 'The last line is incomplete and was ignored.';
    io.stderr.write(`${formatPlace({ file, line })}: ${message}\n`);
    onCut({ code: 'journal-cut-off', message, location: { file, line, column: 1 } });
  };
  return async () => {
    const now = Date.now();
    const entries: JournalEntry[] = [];
    const reduce = createReducer(header);
    for await (const entry of readJournal(resolve(io.cwd, file), { onTorn })) {
      if (io.signal.aborted) throw new ToolError('interrupted', 'Interrupted.');
      entries.push(reduce(entry));
    }
    isLater = true;
    return { entries, now };
  };
}

async function readCapture(file: string, contract: Contract, io: Io): Promise<RecordedJournal> {
  const capture = await readHar(resolve(io.cwd, file), contract);
  const { entries, skipped, baseUrl } = capture;
  const where = baseUrl === '' ? '' : ` with ${baseUrl}`;
  io.stderr.write(`Checking ${entries.length} exchanges${where} of ${file}; ${skipped} others ignored\n`);
  return { entries, callers: 'one', captured: true };
}

async function judgeDriven(args: Args, io: Io, load: Load, failOn: Severity): Promise<JudgedCaller> {
  const [{ drive, driveChecks }, { judgeCallerInSlices }, options] = await Promise.all([
    import('../../drive/drive.ts'),
    import('../../audit/judge-caller.ts'),
    driveOptions(args, io, load),
  ]);
  const { driven, contract, interrupted } = await drive(options);
  const key = intentKeyOf(args.text('intent-key'));
  const named = key && { intentOf: (write: JournalEntry) => intentIn(write, key) };
  const recordings = driven.map(({ recording }) => ({ ...recording, ...named }));
  io.stderr.write(noticeText(contract.notices));
  const audited = await judgeCallerInSlices({ contract, recordings }, io.signal);
  const checks = driveChecks(driven, { findings: failing(audited, failOn) }, contract, options.prefix);
  const notices = weakening(contract.notices);
  return { audited, checks, interrupted, notices };
}
