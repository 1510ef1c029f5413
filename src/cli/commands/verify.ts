import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { pactumFiles } from '../../contract/pactum-files.ts';
import { EXIT, type ExitCode, ToolError } from '../../errors.ts';
import { assertWritable } from '../../files/write.ts';
import { readBaseline } from '../../judge/baseline.ts';
import { THRESHOLDS } from '../../model/finding.ts';
import { keepInHistory } from '../../report/history.ts';
import { slowedText } from '../../report/notices.ts';
import type { RunEvent, VerifyOptions } from '../../run/options.ts';
import type { PlanRow } from '../../run/plan.ts';
import { plain } from '../../text/plain.ts';
import { count } from '../../text/words.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { configOf, loweredText, proxyText, RUN_FLAGS, sentText, sourceText } from '../config.ts';
import { contractFor, folderText, noticeText } from '../contract.ts';
import { keepLearned, openLearning } from '../learning.ts';
import { earlierRuns, failOnFlag, HISTORY_FLAGS, openReports, PREVIOUS_FLAG, REPORT_FLAG } from '../reports.ts';
import { redactorOf } from '../secrets.ts';
import { JOURNAL_FLAGS, openJournal } from '../serving.ts';
import { VERBOSE_FLAG, verbosePrinter } from '../verbose.ts';

export const command: Command = {
  flags: {
    ...RUN_FLAGS,
    probe: { help: 'also send wrong credentials, forged tokens and undocumented methods to a URL' },
    plan: { help: 'print the planned calls without sending them' },
    'fail-on': failOnFlag('lowest severity that fails the run (error)'),
    'require-coverage': { value: 'fields=P%,statements=N', help: 'exit with 4 if less of the contract was checked' },
    baseline: { value: 'FILE', help: 'baseline with accepted findings; accept writes it' },
    ...HISTORY_FLAGS,
    previous: PREVIOUS_FLAG,
    learn: { value: 'FILE', help: 'if only additions are new, write this recording and the new shapes to FILE.new' },
    ...JOURNAL_FLAGS,
    ...VERBOSE_FLAG,
    report: REPORT_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'the target agrees with the contract',
    [EXIT.findings]: 'drift: findings at or above --fail-on',
    [EXIT.inconclusive]: 'inconclusive: some checks could not run',
    [EXIT.stale]: 'agrees, but the baseline has stale entries',
    [EXIT.interrupted]: 'interrupted; the report has the results so far',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  return verifyBy(await configOf(args, io), args, io);
}

export async function verifyBy(config: Config, args: Args, io: Io): Promise<ExitCode> {
  const failOn = args.choice('fail-on', THRESHOLDS) ?? 'error';
  const files = [config.file ?? undefined, config.baseline, ...config.overlays];
  const write = await openReports(config.reports, io, undefined, files);
  const baseline = config.baseline === undefined ? undefined : await readBaseline(config.baseline);
  const earlier = await earlierRuns(args, io);
  if (earlier.folder !== null) await assertWritable(join(earlier.folder, 'report.json'));
  const learning = await openLearning(args, config, io);
  const talk = createTalk(args, io, config);
  talk.line(await unusedText(config, io));
  const options: VerifyOptions = {
    ...optionsOf(config),
    ...(learning && { overlays: learning.overlays }),
    failOn,
    ...earlier.unjudged(config.target),
    ...(baseline === undefined ? {} : { baseline }),
    signal: io.signal,
    onEvent: talk.event,
  };

  if (args.switch('plan')) {
    // Imported here, so that help does not load an engine.
    const { plan } = await import('../../run/plan.ts');
    io.stdout.write(planText(await plan(options)));
    return EXIT.agrees;
  }
  const redactor = redactorOf(io);
  const journal = await openJournal(args, io, { redactor: () => redactor, contract: () => contractFor(config, io) });
  const print = await verbosePrinter(args, talk.line, () => redactor);
  const onExchange: VerifyOptions['onExchange'] = (exchange, repeated) => {
    journal?.append(exchange);
    print?.(exchange, repeated);
  };
  const inputs = await earlier.inputs(config.target);
  const kept = (journal ?? print) && { redactor, numberAfter: journal?.last ?? 0, onExchange };
  const run = { ...options, ...inputs, ...kept, ...(learning && { over: learning.over, beside: learning.beside }) };
  // The learning code is loaded only with --learn.
  const conducted =
    learning === null
      ? import('../../run/verify.ts').then(async ({ verify }) => ({ report: await verify(run), learn: () => null }))
      : import('../../run/verify-and-learn.ts').then(({ verifyAndLearn }) => verifyAndLearn(run));
  try {
    const { report: ended, learn } = await conducted.finally(talk.end);
    const report = earlier.compare(ended);
    // A failed write must not affect further outputs.
    const failures: unknown[] = [];
    const keep = (kept: Promise<unknown>): Promise<unknown> => kept.catch((error) => failures.push(error));
    if (earlier.folder !== null) await keep(keepInHistory(earlier.folder, report, redactorOf(io)));
    await keep(write(report));
    // A failure of learning never changes the exit code: it is no verdict about the target.
    if (learning !== null) await keepLearned(learning, learn, { config, report, io }).catch(talk.nothingLearned);
    if (failures.length > 0) throw failures[0];
    return report.exitCode;
  } finally {
    // Last: a journal that cannot be written must not cost the report.
    await journal?.close();
  }
}

export function optionsOf(config: Config): VerifyOptions {
  const { file, targetFrom, profile, baseline, reports, credentials, ...options } = config;
  return { ...options, ...(credentials && { credentials }) };
}

/** A message about Pactum files in the working directory that the run does not use. */
async function unusedText({ checks, folder }: Config, { cwd }: Io): Promise<string> {
  const here = join(cwd, 'contracts');
  const [file] = await pactumFiles(here);
  if (file === undefined) return '';
  // the suite in the package runs from its build
  const source = folder.confined ? undefined : join(folder.dir, 'contracts');
  const used = [checks, folder.suite, source].map((path) => path && realpath(path).catch(() => path));
  if ((await Promise.all(used)).includes(await realpath(here))) return '';
  return `Not used: ${plain(here)}. To run these Pactum files, set checks: contracts in the configuration.\n`;
}

/** Shows the progress on a terminal, unless `--verbose` prints lines there. */
export function createTalk(args: Args, io: Io, config: Config) {
  const live = !args.switch('verbose') && io.stderr.isTTY === true && !io.env.CI && io.env.TERM !== 'dumb';
  let line = false;
  /** Printed after the target, which is the first line. */
  let held: string | null = '';
  const print = (text: string): void => {
    if (held === null) io.stderr.write(text);
    else held += text;
  };
  const clear = (): void => {
    if (line) io.stderr.write('\r\u001b[2K');
    line = false;
  };
  return {
    line: print,
    event(event: RunEvent): void {
      if (event.kind === 'notices') print(noticeText(event.notices));
      if (event.kind === 'target') {
        io.stderr.write(
          `${targetLine(event, config)}\n${proxyText(config)}${folderText(config.folder, true)}${held ?? ''}`,
        );
        held = null;
      }
      if (event.kind === 'slowed') {
        clear();
        print(`${slowedText(event.perSecond)}\n`);
      }
      if (event.kind !== 'check' || !live) return;
      const text = `${event.done}/${event.of} ${event.id}`.slice(0, (io.stderr.columns ?? 80) - 1);
      io.stderr.write(`\r\u001b[2K${text}`);
      line = true;
    },
    end(): void {
      clear();
      if (held !== null) io.stderr.write(held);
      held = null;
    },
    nothingLearned(thrown: unknown): void {
      const why = thrown instanceof ToolError ? thrown.describe() : plain(String(thrown));
      io.stderr.write(`Nothing learned: ${why}\n`);
    },
  };
}

function targetLine(event: Extract<RunEvent, { kind: 'target' }>, config: Config): string {
  const from = sourceText(config);
  if (event.writing === null) return `Target: the embedded mock${from} at ${event.baseUrl}; every operation is called.`;
  const kind = event.target === 'mock' ? ', a mock' : '';
  const writes =
    event.writing === 0
      ? 'only reads are sent'
      : `${event.writing} ${event.writing === 1 ? 'call' : 'calls'} that may change data ${event.writing === 1 ? 'is' : 'are'} sent (--allow ${event.allow})`;
  const probes = config.probe ? ', probes too' : '';
  return `Target: ${event.baseUrl}${kind}${from}; ${writes}${probes}${loweredText(event.lowered)}.${sentText(config, event.sentTo)}`;
}

function planText(rows: readonly PlanRow[]): string {
  if (rows.length === 0) return 'No calls to send.\n';
  const lines = rows.map(({ effect, method, target, path, operationId, auth, purpose, checkId, times }) =>
    [
      effect,
      `${method} ${target}`,
      path,
      operationId,
      purpose === 'succeed' ? `auth ${auth}` : `auth ${auth}, ${purpose}`,
      times > 1 ? `${checkId} (${times} times)` : checkId,
    ].map(plain),
  );
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const requests = rows.reduce((sum, { times }) => sum + times, 0);
  return `${text.join('\n')}\n${count(requests, 'request')} at most, without retries.\n`;
}
