import type { Problem } from './validator.ts';

/** So many problems stand in the message of a {@link ValidationError}; `problems` has all. */
const SHOWN = 10;

/** Thrown by `assert`. Neither it nor its message holds the value. */
export class ValidationError extends Error {
  override readonly name: string = 'ValidationError';
  /** Name of the schema that the value was held against. */
  readonly schema: string;
  /** Every problem, in the order of the schema. */
  readonly problems: readonly Problem[];

  constructor(schema: string, problems: readonly Problem[]) {
    const shown = problems.slice(0, SHOWN).map((problem) => `\n  ${formatProblem(problem)}`);
    const more = problems.length > SHOWN ? `\n  and ${problems.length - SHOWN} more` : '';
    super(`not a valid ${schema}:${shown.join('')}${more}`);
    this.schema = schema;
    this.problems = problems;
  }
}

/** One line: `/expires_in: expected integer, found string(1-9)`. */
export function formatProblem(problem: Problem): string {
  return `${problem.pointer || 'the value'}: ${formatDifference(problem)}`;
}

/** The line without the place: `expected integer, found string(1-9)`. */
export function formatDifference({ expected, actual }: Problem): string {
  return `expected ${expected}, found ${actual}`;
}
