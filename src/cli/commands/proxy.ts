import { once } from 'node:events';
import { resolve } from 'node:path';
import { secretsFrom } from '../../config/environment.ts';
import type { Config } from '../../config.ts';
import { EXIT, type ExitCode, ToolError } from '../../errors.ts';
import { createJournalWriter, type JournalWriter } from '../../journal/write.ts';
import { isLoopback } from '../../mock/http/host.ts';
import { type Finding, SEVERITIES, type Severity } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { counts } from '../../model/verdict.ts';
import { plain } from '../../plain.ts';
import type { ProxyEvent, ProxyOptions, RunningProxy } from '../../proxy/options.ts';
import { createRedactor, type Redactor } from '../../redact/redact.ts';
import { assertReportsWritable, writeReports } from '../../report/write.ts';
import type { Args, Command, Io } from '../command.ts';
import { configOf, RUN_FLAGS } from '../config.ts';
import { folderText, noticeText } from '../contract.ts';
import { fileLimitOf } from '../journal-limit.ts';
import { REPORT_FLAG, reportOptions, requestsOf } from '../reports.ts';

const DEFAULT_PORT = 4020;

/** `banking-api proxy`: stands between a caller and the API until it is told to end, and judges what passes. */
export const proxyCommand: Command = {
  name: 'proxy',
  summary: 'stand between a caller and the API, and judge what passes',
  flags: {
    ...RUN_FLAGS,
    target: { value: 'URL', help: 'where requests go (BANKING_API_BASE_URL, else the configuration); or mock' },
    port: { value: 'PORT', help: `port to listen on; 0 takes any that is free (${DEFAULT_PORT})` },
    host: { value: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
    'mock-missing': { help: 'answer what the target does not have from a mock' },
    journal: { value: 'FILE', help: 'add every exchange, redacted, to this file (NDJSON)' },
    'journal-limit': {
      value: 'MIB',
      help: 'put the journal aside as FILE.1, FILE.2, … at this size and begin a new one',
    },
    'fail-on': { value: SEVERITIES.join('|'), help: 'end with 1 for findings of this severity or above (never)' },
    report: REPORT_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'ended by SIGINT, SIGTERM or SIGHUP',
    [EXIT.findings]: 'ended, with findings at or above --fail-on (only where it is given)',
    [EXIT.usage]: 'wrong usage or configuration, a busy port, a file that cannot be read or written',
    [EXIT.contract]: 'the spec or an overlay is invalid',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const config = await configOf(args, io);
  if (config.targetFrom === 'default') {
    throw new ToolError('usage', 'The proxy needs a target.', { hint: 'Give it one: --target https://….' });
  }
  const failOn = args.choice('fail-on', SEVERITIES);
  const reports = requestsOf(config.reports, io);
  await assertReportsWritable(reports);
  const redactor = createRedactor(secretsFrom(io.env));
  const journal = openJournal(args, io, redactor);
  // Here and not above: the help of a command costs no engine.
  const { startProxy } = await import('../../proxy/start-proxy.ts');
  const options: ProxyOptions = {
    ...optionsOf(config, args),
    failOn: failOn ?? 'error',
    redactor,
    onEvent: (event) => io.stderr.write(`${plain(redactor.text(lineOf(event)))}\n`),
    ...(journal === undefined ? {} : { onExchange: journal.append, numberAfter: journal.last }),
  };
  let proxy: RunningProxy | undefined;
  try {
    proxy = await startProxy(options);
    announce(proxy, options, config, io);
    if (!io.signal.aborted) await once(io.signal, 'abort');
    await proxy.close();
    const report = await proxy.report();
    const exitCode = exitCodeFor(report, failOn);
    await writeReports({ ...report, exitCode }, reports, { ...reportOptions(io), redactor });
    return exitCode;
  } finally {
    await proxy?.close();
    await journal?.close();
  }
}

/** The code that the command ends with: findings fail it only where it was told from which severity on. */
export function exitCodeFor(report: Report, failOn: Severity | undefined): ExitCode {
  if (failOn === undefined) return EXIT.agrees;
  return report.findings.some((finding) => counts(finding, failOn)) ? EXIT.findings : EXIT.agrees;
}

function optionsOf(config: Config, args: Args): ProxyOptions {
  const { target, folder, overlays, allow, writesAllowedOn, expendable, facts, parameters, timeouts, limits } = config;
  const host = args.text('host');
  return {
    target,
    port: args.integer('port', { min: 0, max: 65_535 }) ?? DEFAULT_PORT,
    ...(host === undefined ? {} : { host }),
    folder,
    overlays,
    allow,
    writesAllowedOn,
    expendable,
    mockMissing: args.switch('mock-missing'),
    facts,
    parameters,
    timeouts,
    bodyBytes: limits.bodyBytes,
  };
}

function openJournal(args: Args, io: Io, redactor: Redactor): JournalWriter | undefined {
  const file = args.text('journal');
  if (file === undefined) return undefined;
  return createJournalWriter(resolve(io.cwd, file), {
    redactor,
    append: true,
    ...fileLimitOf(args),
    onError: (error) => io.stderr.write(`${error.describe()}\n`),
  });
}

/** Its first line on stderr holds the URL and is written when the proxy accepts: stdout is the report. */
function announce(proxy: RunningProxy, options: ProxyOptions, config: Config, io: Io): void {
  const effects = config.target === 'mock' ? '' : `; ${allowed(config)}`;
  const lines = [`Proxy listens on ${proxy.url} in front of ${proxy.target}${effects}. Ctrl-C ends it.`];
  if (options.host !== undefined && !isLoopback(options.host)) {
    lines.push(`Warning: it listens on ${options.host}, so that other machines can reach it.`);
  }
  io.stderr.write(`${lines.join('\n')}\n${folderText(config.folder)}${noticeText(proxy.notices)}`);
}

function allowed({ allow, writesAllowedOn }: Config): string {
  if (allow === 'read' || writesAllowedOn.length === 0) return 'only what reads is sent on';
  return allow === 'write'
    ? 'what reads and what writes is sent on where the configuration lists the host'
    : 'everything is sent on where the configuration lists the host';
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
      return `Judging failed, the traffic is not affected: ${event.message}`;
  }
}

function findingLine({ severity, rule, operationId, pointer, message, exchanges }: Finding): string {
  const where = [operationId, pointer].filter((part) => part !== null && part !== '').join(' ');
  const shown = exchanges.length === 0 ? '' : ` (exchange ${exchanges.slice(0, 5).join(', ')})`;
  return `${severity.padEnd(9)} ${rule}${where === '' ? '' : ` ${where}`}: ${message}${shown}`;
}
