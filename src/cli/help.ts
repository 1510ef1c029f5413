import { EXIT, type ExitCode } from '../errors.ts';
import { tool } from '../files/tool.ts';
import { wrap } from '../report/wrap.ts';
import type { CommandRow, NamedCommand } from './command.ts';

const WIDTH = 100;

const EXITS: Readonly<Record<ExitCode, readonly [name: string, meaning: string]>> = {
  [EXIT.agrees]: ['ok', 'success'],
  [EXIT.findings]: ['findings', 'findings at or above --fail-on'],
  [EXIT.usage]: [
    'usage',
    'usage or configuration error, unreadable or unwritable file, busy port, or a Node that is too old',
  ],
  [EXIT.contract]: ['invalid contract', 'the spec or an overlay is invalid'],
  [EXIT.inconclusive]: ['inconclusive', 'inconclusive: some checks could not run'],
  [EXIT.stale]: ['stale baseline', 'the baseline has stale entries'],
  [EXIT.fault]: ['fault', 'a bug in banking-api'],
  [EXIT.interrupted]: ['interrupted', 'interrupted'],
};

export function exitLine(code: ExitCode, command?: NamedCommand, why: string = EXITS[code][0]): string {
  return `${command === undefined ? 'banking-api' : `banking-api ${command.name}`}: exit ${code} (${why})`;
}

export function globalHelp(commands: readonly CommandRow[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  const exits = codesOf(EXITS).map((code) => [String(code), EXITS[code][1]] as const);
  return [
    `banking-api ${tool.version}: mock, check and validate an API by its contract`,
    '',
    'Usage: banking-api COMMAND [flags]',
    '',
    'Commands:',
    table(rows),
    '',
    'banking-api COMMAND --help shows the flags and exit codes of one command; --version prints the version.',
    '',
    'Environment: BANKING_API_BASE_URL, BANKING_API_USERNAME, BANKING_API_PASSWORD, BANKING_API_TOKEN',
    '(environment: PREFIX in the configuration renames them to PREFIX_BASE_URL, …)',
    '',
    'Exit codes:',
    table(exits),
    '',
  ].join('\n');
}

export function commandHelp(command: NamedCommand): string {
  const flags = Object.entries(command.flags).map(
    ([name, flag]) =>
      [
        flag.value === undefined
          ? `--${name}`
          : flag.optional
            ? `--${name}[=${flag.value}]`
            : `--${name} ${flag.value}`,
        flag.repeatable === true ? `${flag.help} (may be repeated)` : flag.help,
      ] as const,
  );
  // a command with a contract may find it invalid
  const common = [EXIT.agrees, EXIT.usage, EXIT.fault, ...('contract' in command.flags ? [EXIT.contract] : [])];
  const codes = new Set([...common, ...codesOf(command.exits)]);
  const exits = [...codes]
    .sort((a, b) => a - b)
    .map((code) => [String(code), command.exits[code] ?? EXITS[code][1]] as const);
  const synopsis = command.synopsis === undefined ? '' : ` ${command.synopsis}`;
  return [
    `Usage: banking-api ${command.name} [flags]${synopsis}`,
    '',
    ...wrap(command.summary, WIDTH),
    '',
    'Flags:',
    table([...flags, ['--help', 'print this help']]),
    '',
    'Exit codes:',
    table(exits),
    '',
  ].join('\n');
}

function codesOf(exits: Readonly<Partial<Record<ExitCode, unknown>>>): ExitCode[] {
  return Object.keys(exits).map((code) => Number(code) as ExitCode);
}

function table(rows: readonly (readonly [left: string, right: string])[]): string {
  const left = Math.min(28, Math.max(...rows.map(([cell]) => cell.length)));
  return rows
    .flatMap(([cell, text]) => {
      const lines = wrap(text, WIDTH - left - 4);
      const first = cell.length > left ? [`  ${cell}`] : [];
      const head = first.length > 0 ? '' : cell;
      return [...first, ...lines.map((line, index) => `  ${(index === 0 ? head : '').padEnd(left)}  ${line}`)];
    })
    .join('\n');
}
