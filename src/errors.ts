/**
 * The error class of the tool, the union of its stable codes, and the table that maps a code to an exit code.
 * Each error that a user can cause is a {@link ToolError}. Any other error on the command line is our bug (exit 70).
 */

import { plainLines } from './text/plain.ts';

/** Exit codes of `banking-api`, as promised in the README. */
export const EXIT = {
  agrees: 0,
  findings: 1,
  usage: 2,
  contract: 3,
  inconclusive: 4,
  stale: 5,
  fault: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The stable error codes, by exit code. */
const CODES = {
  usage: [
    'usage',
    'config',
    'file-missing',
    'file-unreadable',
    'file-unwritable',
    'port-busy',
    'node-too-old',
    'engine-missing',
    'journal-invalid',
    'report-invalid',
    'baseline-invalid',
  ],
  contract: ['spec-invalid', 'overlay-invalid'],
  inconclusive: ['target-unusable'],
  interrupted: ['interrupted'],
  fault: ['fault'],
} as const;

export type ErrorCode = (typeof CODES)[keyof typeof CODES][number];

/** The place of an error in a file. `line` and `column` count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** JSON pointer (RFC 6901) into the file. */
  readonly pointer?: string;
}

/** `file:line:column (at /pointer)`, without unknown parts. */
export function formatPlace(place: Place): string {
  const position = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  return place.pointer ? `${position} (at ${place.pointer})` : position;
}

export interface ToolErrorOptions {
  readonly place?: Place | undefined;
  /** One sentence with the fix. */
  readonly hint?: string | undefined;
  /** For `engine-missing`: the packages that bring the engine. */
  readonly packages?: readonly string[] | undefined;
  readonly cause?: unknown;
  /** Further errors, printed with it. */
  readonly others?: readonly ToolError[] | undefined;
}

/** An error with the mistake, its place and the fix. Its message never holds a secret. */
export class ToolError extends Error {
  override readonly name: string = 'ToolError';
  readonly code: ErrorCode;
  readonly place: Place | undefined;
  readonly hint: string | undefined;
  readonly others: readonly ToolError[];
  readonly packages: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.place = options.place;
    this.hint = options.hint;
    this.others = options.others ?? [];
    this.packages = options.packages;
  }

  get exitCode(): ExitCode {
    const names = Object.keys(CODES) as (keyof typeof CODES)[];
    return EXIT[names.find((name) => CODES[name].some((code) => code === this.code)) ?? 'fault'];
  }

  /** One line for a terminal: place, message, hint. Each further error adds a line. */
  describe(): string {
    const where = this.place ? `${formatPlace(this.place)}: ` : '';
    // Pointers, names and parser messages may contain any text of a file.
    const line = plainLines(`${where}${this.message}${this.hint ? ` ${this.hint}` : ''}`);
    return [line, ...this.others.map((other) => other.describe())].join('\n');
  }
}
