import type { ExitCode } from '../errors.ts';
import type { CommandLine } from '../files/missing-engine.ts';
import type { Args, Flag } from './args.ts';

export interface Terminal {
  /** The typed line; null if the input ended. */
  ask(question: string): Promise<string | null>;
  /** Runs a command line, or this command again, on the same terminal. Resolves to the exit code, if there is one. */
  run(line: CommandLine | 'again'): Promise<number | null>;
}

/** The process as a command sees it. stdout carries the report, stderr carries messages. */
export interface Io {
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    /** True for a regular file, which is not a live log. */
    readonly isFile?: boolean;
    /** Resolves when all output is written: to null, or to the error of a failed write. */
    failure?(): Promise<Error | null>;
  };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  /** Undefined if there is no interactive terminal. */
  readonly terminal?: Terminal | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Secrets that a configuration read from the environment, for its redactors. */
  readonly secrets?: Set<string>;
  readonly cwd: string;
  /** Sets the reason in the last line on stderr. */
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
  /** Loads the command's module on demand, so that a command costs only its own needs. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

export type NamedCommand = Command & Pick<CommandRow, 'name' | 'summary'>;

/** The members that are not undefined. A missing flag keeps its default. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
