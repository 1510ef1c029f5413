import { plain } from '../text/plain.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import type { Problem } from './validator.ts';

export interface RawProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** @param currency the currency of the maximum, if the problem is one */
export function toProblem(
  raw: RawProblem,
  root: unknown,
  currency: string | undefined,
): { readonly problem: Problem; readonly pointer: string } {
  const problem = inWords(raw, root, currency);
  // field names may contain anything, but problems are for logs
  return { problem: { ...problem, pointer: plain(problem.pointer) }, pointer: problem.pointer };
}

function inWords({ instancePath, keyword, params }: RawProblem, root: unknown, currency: string | undefined): Problem {
  const value = parsePointer(instancePath)?.reduce(field, root);
  const problem = (expected: string, actual: string): Problem => ({ pointer: instancePath, keyword, expected, actual });
  const child = (name: unknown, expected: string, actual: string): Problem => {
    return { pointer: joinPointer(instancePath, String(name)), keyword, expected, actual };
  };
  switch (keyword) {
    case 'type':
      return problem([params.type].flat().join(' or '), describe(value));
    case 'required':
      return child(params.missingProperty, 'a required field', 'nothing');
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = params.additionalProperty ?? params.unevaluatedProperty;
      return child(name, 'no undocumented field', describe(field(value, String(name))));
    }
    case 'format':
      return problem(`format ${params.format}`, describe(value));
    case 'pattern':
      return problem(`text that matches ${params.pattern}`, describe(value));
    case 'maximum':
      return problem(`at most ${params.limit}${currency ? ` ${currency}` : ''}`, 'more');
    case 'minimum':
      return problem(`at least ${params.limit}`, 'less');
    case 'enum':
      return problem(`one of ${JSON.stringify(params.allowedValues)}`, describe(value));
    case 'const':
      return problem(JSON.stringify(params.allowedValue), describe(value));
    default:
      return problem(
        `what ${keyword}${params.limit === undefined ? '' : ` ${params.limit}`} asks for`,
        describe(value),
      );
  }
}

/** The steps of a JSON pointer, array indexes as numbers. */
export function pathOf(root: unknown, pointer: string): readonly (string | number)[] {
  let at = root;
  return (parsePointer(pointer) ?? []).map((segment) => {
    const step = Array.isArray(at) ? Number(segment) : segment;
    at = field(at, segment);
    return step;
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

/** JSON type of a value, with a length class for strings and arrays: `string(10-99)`, `array(0)`, `nothing`. */
function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `string(${lengthClass(value.length)})`;
    case 'number':
      if (!Number.isFinite(value)) return 'number that JSON does not have';
      return Number.isInteger(value) ? 'integer' : 'number with a fraction';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `array(${lengthClass(value.length)})` : 'object';
    case 'undefined':
      return 'nothing';
    default:
      return typeof value;
  }
}

/** An exact length helps to guess a secret, so only the order of magnitude appears. */
function lengthClass(length: number): string {
  if (length === 0) return '0';
  if (length < 10) return '1-9';
  if (length < 100) return '10-99';
  return length < 1000 ? '100-999' : '1000+';
}

/** Most problems in the message of a {@link ValidationError}; `problems` has all. */
const SHOWN = 10;

/** Thrown by `assert`. The value appears in neither the error nor its message. */
export class ValidationError extends Error {
  override readonly name: string = 'ValidationError';
  readonly schema: string;
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

export function formatDifference({ expected, actual }: Problem): string {
  return `expected ${expected}, found ${actual}`;
}
