import { once } from 'node:events';
import type { Config } from '../../config/config.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { type Finding, THRESHOLDS, type Threshold } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { counts } from '../../model/verdict.ts';
import type { ProxyEvent, ProxyOptions, RunningProxy } from '../../proxy/options.ts';
import { nothingKnown, unopened } from '../../report/make-report.ts';
import { plain } from '../../text/plain.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { configOf, loweredText, proxyText, RUN_FLAGS, sentText, sourceText } from '../config.ts';
import { contractFor, folderText, noticeText } from '../contract.ts';
import { failOnFlag, openReports, REPORT_FLAG } from '../reports.ts';
import { redactorOf } from '../secrets.ts';
import { JOURNAL_FLAGS, listenAddress, listenFlags, openJournal, reachableLines } from '../serving.ts';
import { VERBOSE_FLAG, verbosePrinter } from '../verbose.ts';

const DEFAULT_PORT = 4020;

export const command: Command = {
  flags: {
    ...RUN_FLAGS,
    target: { value: 'URL', help: 'where requests go (BANKING_API_BASE_URL, else the configuration); or mock' },
    ...listenFlags(DEFAULT_PORT),
    'mock-missing': { help: 'let a mock answer operations that the target lacks' },
    ...JOURNAL_FLAGS,
    ...VERBOSE_FLAG,
    'fail-on': failOnFlag('exit with 1 for findings of this severity or above (never)'),
    report: REPORT_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'stopped by SIGINT, SIGTERM or SIGHUP',
    [EXIT.findings]: 'stopped, with findings at or above --fail-on (only with --fail-on)',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const config = await configOf(args, io);
  const failOn = args.choice('fail-on', THRESHOLDS);
  const redactor = redactorOf(io);
  const write = await openReports(config.reports, io, redactor);
  const journal = await openJournal(args, io, { redactor: () => redactor, contract: () => contractFor(config, io) });
  const print = await verbosePrinter(
    args,
    (line) => io.stderr.write(line),
    () => redactor,
  );
  // Imported here, so that help does not load an engine.
  const { startProxy } = await import('../../proxy/start-proxy.ts');
  const options: ProxyOptions = {
    ...optionsOf(config, args),
    failOn: failOn ?? 'error',
    redactor,
    signal: io.signal,
    onEvent: (event) => io.stderr.write(`${plain(redactor.text(lineOf(event)))}\n`),
    ...(journal && { onJournal: journal.write, numberAfter: journal.last }),
    ...(print && { onExchange: print }),
  };
  let proxy: RunningProxy | undefined;
  try {
    const startedAt = Date.now();
    try {
      proxy = await startProxy(options);
    } catch (thrown) {
      const about = { command: 'proxy', target: unopened(config.target), startedAt, failOn: failOn ?? 'error' };
      const report = nothingKnown(thrown, { ...about, endedAt: Date.now() });
      return await write({ ...report, exitCode: EXIT.agrees });
    }
    announce(proxy, options, config, io);
    if (!io.signal.aborted) await once(io.signal, 'abort');
    await proxy.close();
    const report = await proxy.report();
    return await write({ ...report, exitCode: exitCodeFor(report, failOn) });
  } finally {
    await proxy?.close();
    await journal?.close();
  }
}

export function exitCodeFor(report: Report, failOn: Threshold | undefined): ExitCode {
  if (failOn === undefined) return EXIT.agrees;
  return report.findings.some((finding) => counts(finding, failOn)) ? EXIT.findings : EXIT.agrees;
}

function optionsOf(config: Config, args: Args): ProxyOptions {
  const { file, targetFrom, profile, baseline, reports, credentials, token, limits, ...options } = config;
  return {
    ...options,
    ...listenAddress(args, DEFAULT_PORT),
    mockMissing: args.switch('mock-missing'),
    journalShapes: args.switch('journal-shapes'),
    bodyBytes: limits.bodyBytes,
  };
}

/** The first line on stderr holds the URL and is written once the proxy is ready. stdout carries the report. */
function announce(proxy: RunningProxy, options: ProxyOptions, config: Config, io: Io): void {
  const effects = config.target === 'mock' ? '' : `; ${allowed(config)}`;
  // callers bring their own credentials
  const sent = sentText({ ...config, credentials: null, token: undefined }, { credentials: [], token: [] });
  const first = `Proxy listens on ${proxy.url} in front of ${proxy.target}${sourceText(config)}${effects}${loweredText(proxy.lowered)}.${sent} Stop with Ctrl-C.`;
  const lines = [first, ...reachableLines(options.host)];
  io.stderr.write(`${lines.join('\n')}\n${proxyText(config)}${folderText(config.folder)}${noticeText(proxy.notices)}`);
}

function allowed({ allow, writesAllowedOn }: Config): string {
  if (allow === 'read' || writesAllowedOn.length === 0) return 'only reads pass';
  return allow === 'write'
    ? 'reads pass, and writes to hosts that the configuration lists'
    : 'all requests to hosts that the configuration lists pass';
}

function lineOf(event: ProxyEvent): string {
  switch (event.kind) {
    case 'finding':
      return findingLine(event.finding);
    case 'refused':
      return `not sent  ${event.method} ${event.path}: ${event.reason}`;
    case 'unanswered':
      return `no answer ${event.method} ${event.path}: ${event.reason}`;
    case 'mocked':
      return `mocked    ${event.method} ${event.path}: ${event.operationId}`;
    case 'fault':
      return `The check failed (traffic is not affected): ${event.message}`;
  }
}

function findingLine({ severity, rule, operationId, pointer, message, exchanges }: Finding): string {
  const where = [operationId, pointer].filter((part) => part !== null && part !== '').join(' ');
  const shown = exchanges.length === 0 ? '' : ` (exchange ${exchanges.slice(0, 5).join(', ')})`;
  return `${severity.padEnd(9)} ${rule}${where === '' ? '' : ` ${where}`}: ${message}${shown}`;
}
