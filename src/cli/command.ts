import type { ExitCode } from '../errors.ts';
import type { CommandLine } from '../files/missing-engine.ts';
import type { Args, Flag } from './args.ts';

export interface Terminal {
  /** The line that was typed; null where the question was broken off. */
  ask(question: string): Promise<string | null>;
  /** Runs a line, or this very command again, on the same terminal. Resolves to the exit code; to null where there is none. */
  run(line: CommandLine | 'again'): Promise<number | null>;
}

/** The process as a command sees it. stdout is the report, stderr is talk. */
export interface Io {
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    /** True for a file on a disk, which nobody reads along. */
    readonly isFile?: boolean;
    /** Resolves when all that was written has left; to the error where something could not, else to null. */
    failure?(): Promise<Error | null>;
  };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  /** Absent where nobody sits at it. */
  readonly terminal?: Terminal | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that a configuration took from the environment, for its redactors. */
  readonly secrets?: Set<string>;
  readonly cwd: string;
  /** Says in the last line on stderr why the command ends with its code. */
  readonly why?: (reason: string) => void;
  /** Aborted by SIGINT, SIGTERM or SIGHUP; the reason is the signal's name. */
  readonly signal: AbortSignal;
}

export interface Command {
  readonly synopsis?: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly exits: Readonly<Partial<Record<ExitCode, string>>>;
  run(args: Args, io: Io): Promise<ExitCode>;
}

export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  /** Loads the command's module, so that a command costs only what it needs. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

export type NamedCommand = Command & Pick<CommandRow, 'name' | 'summary'>;

/** The members that are not undefined: what a flag that was not given leaves to its default. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
