import { EXIT, type ExitCode } from '../errors.ts';
import type { Command } from './command.ts';

/** What each exit code means where a command says nothing more precise. A code without a row does not compile. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  [EXIT.agrees]: 'all is well',
  [EXIT.findings]: 'findings at or above the wanted severity',
  [EXIT.usage]: 'wrong usage or configuration, a busy port, an unwritable file or a Node that is too old',
  [EXIT.contract]: 'the spec or an overlay is invalid',
  [EXIT.inconclusive]: 'inconclusive: it could not be told whether the target agrees',
  [EXIT.stale]: 'the baseline has stale entries',
  [EXIT.fault]: 'a fault of banking-api itself',
  [EXIT.interrupted]: 'interrupted',
};

/** The codes that every command can end with, beside its own. */
export const COMMON_EXITS: readonly ExitCode[] = [EXIT.agrees, EXIT.usage, EXIT.fault];

/** What a code means when this command ends with it. */
export function meaningOf(code: ExitCode, command?: Pick<Command, 'exits'>): string {
  return command?.exits[code] ?? EXIT_MEANINGS[code];
}

/** The last line on stderr, without its line end. */
export function exitLine(code: ExitCode, command?: Pick<Command, 'name' | 'exits'>, meaning?: string): string {
  const who = command === undefined ? 'banking-api' : `banking-api ${command.name}`;
  return `${who}: exit ${code}: ${meaning ?? meaningOf(code, command)}`;
}
