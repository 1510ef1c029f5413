import { EXIT, type ExitCode } from '../errors.ts';
import { tool } from '../files/tool.ts';
import { wrap } from '../report/wrap.ts';
import type { Command, CommandRow, NamedCommand } from './command.ts';

const WIDTH = 100;

/** What each exit code means where a command says nothing more precise. A code without a row does not compile. */
const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  [EXIT.agrees]: 'all is well',
  [EXIT.findings]: 'findings at or above the wanted severity',
  [EXIT.usage]:
    'wrong usage or configuration, a file that cannot be read or written, a busy port, a Node that is too old',
  [EXIT.contract]: 'the spec or an overlay is invalid',
  [EXIT.inconclusive]: 'inconclusive: it could not be told whether the target agrees',
  [EXIT.stale]: 'the baseline has stale entries',
  [EXIT.fault]: 'a fault of banking-api itself',
  [EXIT.interrupted]: 'interrupted',
};

/** The codes that a command can end with beside its own: what goes by a contract may find it invalid. */
function commonExits({ flags }: Command): ExitCode[] {
  return [EXIT.agrees, EXIT.usage, EXIT.fault, ...('contract' in flags ? [EXIT.contract] : [])];
}

/** What a code means when this command ends with it. */
function meaningOf(code: ExitCode, command?: Pick<Command, 'exits'>): string {
  return command?.exits[code] ?? EXIT_MEANINGS[code];
}

/** The last line on stderr, without its line end. */
export function exitLine(code: ExitCode, command?: NamedCommand, meaning?: string): string {
  const who = command === undefined ? 'banking-api' : `banking-api ${command.name}`;
  return `${who}: exit ${code}: ${meaning ?? meaningOf(code, command)}`;
}

/** Help of the whole program. */
export function globalHelp(commands: readonly CommandRow[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  const exits = codesOf(EXIT_MEANINGS).map((code) => [String(code), EXIT_MEANINGS[code]] as const);
  return [
    `banking-api ${tool.version}: the contract of a partly documented banking API, put to work`,
    '',
    'Usage: banking-api COMMAND [flags]',
    '',
    'Commands:',
    table(rows),
    '',
    'banking-api COMMAND --help shows the flags and exit codes of one command; --version prints the version.',
    '',
    'Environment: BANKING_API_BASE_URL, BANKING_API_USERNAME, BANKING_API_PASSWORD',
    '',
    'Exit codes:',
    table(exits),
    '',
  ].join('\n');
}

/** Help of one command, made of its flags and exit codes. */
export function commandHelp(command: NamedCommand): string {
  const flags = Object.entries(command.flags).map(
    ([name, flag]) =>
      [
        flag.value === undefined ? `--${name}` : `--${name} ${flag.value}`,
        flag.repeatable === true ? `${flag.help} (may be repeated)` : flag.help,
      ] as const,
  );
  const codes = new Set([...commonExits(command), ...codesOf(command.exits)]);
  const exits = [...codes].sort((a, b) => a - b).map((code) => [String(code), meaningOf(code, command)] as const);
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

function codesOf(exits: Readonly<Partial<Record<ExitCode, string>>>): ExitCode[] {
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
