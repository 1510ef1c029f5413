import type { Io } from './command.ts';

/** How the report may look on stdout: colours on a terminal (or FORCE_COLOR), never with NO_COLOR or a dumb terminal. */
export function terminalOf({ stdout, stderr, env }: Io): {
  readonly color: boolean;
  readonly columns: number | undefined;
} {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const forbidden = Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  return {
    color: forced || (stdout.isTTY === true && !forbidden),
    columns: stdout.isTTY === true ? stderr.columns : undefined,
  };
}
