import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE } from '../config/chosen-contract.ts';
import { EXIT, type ExitCode, ToolError } from '../errors.ts';
import { typed } from '../files/missing-engine.ts';
import { tool } from '../files/tool.ts';
import { unwritable } from '../files/write.ts';
import { didYouMean } from '../text/suggest.ts';
import { parseCommandLine } from './args.ts';
import type { CommandRow, Io, NamedCommand } from './command.ts';
import { commands } from './commands.ts';
import { describeFault, withoutHandles } from './faults.ts';
import { commandHelp, exitLine, globalHelp } from './help.ts';
import { redactorOf } from './secrets.ts';

/** Never rejects. The report goes to `io.stdout`, messages to `io.stderr`, whose last line names the exit code. */
export async function run(
  argv: readonly string[],
  process: Io,
  table: readonly CommandRow[] = commands,
): Promise<ExitCode> {
  // not by spreading, because reading `signal` installs its handler
  const known: Io = Object.create(process, { secrets: { value: new Set(await secretsByFile(process)) } });
  const io: Io = Object.create(known, { stderr: { value: redactedStream(known) } });
  const ended = await perform(argv, io, table);
  const lost = (await io.stdout.failure?.()) ?? null;
  if (lost === null) {
    if (!ended.silent) io.stderr.write(`${exitLine(ended.code, ended.command, ended.why)}\n`);
    return ended.code;
  }
  io.stderr.write(`${unwritable('stdout', lost).describe()}\n`);
  const isStronger = ended.code === EXIT.interrupted || ended.code === EXIT.fault;
  const code = isStronger ? ended.code : EXIT.usage;
  io.stderr.write(`${exitLine(code, ended.command, isStronger ? ended.why : 'file-unwritable')}\n`);
  return code;
}

interface CommandEnd {
  readonly code: ExitCode;
  readonly command?: NamedCommand | undefined;
  readonly why?: string | undefined;
  readonly silent?: boolean;
}

async function perform(argv: readonly string[], io: Io, table: readonly CommandRow[]): Promise<CommandEnd> {
  let command: NamedCommand | undefined;
  let why: string | undefined;
  const say = (reason: string): void => {
    why = reason;
  };
  try {
    const [name, ...rest] = argv;
    if (name === '--version' || name === '-v') return print(io, `${tool.version}\n`);
    if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0))
      return print(io, globalHelp(table));
    command = await loadCommand(name === 'help' ? rest[0] : name, table);
    const args = name === 'help' ? null : parseCommandLine(command, rest);
    if (args === null) return print(io, commandHelp(command));
    return { code: await command.run(args, Object.create(io, { why: { value: say } })), command, why };
  } catch (error) {
    const thrown = withoutHandles(error);
    if (!(thrown instanceof ToolError)) {
      io.stderr.write(`${describeFault(thrown)}\n`);
      return { code: EXIT.fault, command };
    }
    if (thrown.packages !== undefined) return lacking(thrown, thrown.packages, argv, io, command);
    const hint = thrown.code === 'usage' && !thrown.hint && command ? ` See banking-api ${command.name} --help.` : '';
    io.stderr.write(`${thrown.describe()}${hint}\n`);
    // an interruption takes precedence over a file that it left unwritten
    const wasEnded = io.signal.aborted && thrown.code === 'file-unwritable' && command?.exits[EXIT.interrupted];
    return wasEnded ? { code: EXIT.interrupted, command } : { code: thrown.exitCode, command, why: thrown.code };
  }
}

async function lacking(
  error: ToolError,
  packages: readonly string[],
  argv: readonly string[],
  io: Io,
  command: NamedCommand | undefined,
): Promise<CommandEnd> {
  const { offerToAdd, remedyOf } = await import('./offer.ts');
  const code = await offerToAdd(error, argv, io);
  // the repeated command has printed everything
  if (code !== null) return { code, command, silent: true };
  if (io.signal.aborted) return { code: EXIT.interrupted, command };
  io.stderr.write(`${error.message}\nInstall the missing packages: ${typed(remedyOf(packages, argv))}\n`);
  return { code: EXIT.usage, command, why: error.code };
}

/** Most folders have no config file. Then no parser is loaded. */
async function secretsByFile({ cwd, env }: Io): Promise<string[]> {
  if (!existsSync(join(cwd, CONFIG_FILE))) return [];
  const { secretsByConfig } = await import('../config/named-variables.ts');
  return secretsByConfig(cwd, env);
}

/** stderr without secrets of the environment, also in messages of engines and in stack traces. */
function redactedStream(io: Io): Io['stderr'] {
  const { stderr } = io;
  let redactor = redactorOf(io);
  let known = io.secrets?.size;
  return {
    write(text) {
      // a configuration may have added secrets since
      if (io.secrets?.size !== known) redactor = redactorOf(io);
      known = io.secrets?.size;
      return stderr.write(redactor.text(text));
    },
    get isTTY() {
      return stderr.isTTY === true;
    },
    // a getter, because a terminal can be resized
    get columns() {
      return stderr.columns ?? 80;
    },
  };
}

function print(io: Io, text: string): CommandEnd {
  io.stdout.write(text);
  return { code: EXIT.agrees, silent: true };
}

async function loadCommand(name: string | undefined, table: readonly CommandRow[]): Promise<NamedCommand> {
  const names = table.map((row) => row.name);
  const hint = `Commands: ${names.join(', ')}. See banking-api --help.`;
  if (name === undefined) throw new ToolError('usage', 'No command given.', { hint });
  const row = table.find((candidate) => candidate.name === name);
  if (row === undefined) {
    const what = name.startsWith('-') ? 'The command comes before its flags. Unknown command:' : 'Unknown command:';
    throw new ToolError('usage', `${what} ${JSON.stringify(name)}.${didYouMean(name, names)}`, { hint });
  }
  return { name, summary: row.summary, ...(await row.load()).command };
}
