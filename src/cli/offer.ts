import { EXIT, type ExitCode, type ToolError } from '../errors.ts';
import { type CommandLine, homeOf, lineToAdd, typed } from '../files/missing-engine.ts';
import { packageRoot } from '../package-root.ts';
import type { Io } from './command.ts';

export function remedyOf(packages: readonly string[], argv: readonly string[]): CommandLine {
  return lineToAdd(packages, homeOf(packageRoot), argv);
}

/**
 * Offers on a terminal to install the missing packages, and then repeats the command.
 * @returns the exit code of the command; null without a terminal, or if the answer is no
 */
export async function offerToAdd(error: ToolError, argv: readonly string[], io: Io): Promise<ExitCode | null> {
  const { terminal } = io;
  if (error.packages === undefined || terminal === undefined) return null;
  const line = remedyOf(error.packages, argv);
  io.stderr.write(`${error.message}\n`);
  const answer = await terminal.ask(`Run ${typed(line)} and continue? [Y/n] `);
  if (answer === null || !/^(?:y|yes)?$/i.test(answer.trim())) return null;
  const added = await terminal.run(line);
  // for npx, installing has also run the command
  if (line.program === 'npx') return codeOf(added);
  return added === 0 ? codeOf(await terminal.run('again')) : EXIT.usage;
}

const CODES: readonly number[] = Object.values(EXIT);

function codeOf(code: number | null): ExitCode {
  return code !== null && CODES.includes(code) ? (code as ExitCode) : EXIT.usage;
}
