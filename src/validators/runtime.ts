/** Makes the exported validators out of what the generator compiled. */
import { pathOf, type RawProblem, toProblem } from './problem.ts';
import { formatDifference, ValidationError } from './validation-error.ts';
import type { JsonSchema, Problem, Reading, StandardSchema, Validator } from './validator.ts';

/** One reading of a schema as the generator emits it. */
export interface Compiled {
  /** Whether a value is valid; no more than that, and it never throws. */
  readonly is: (value: unknown) => boolean;
  /** Ajv's function: leaves every problem in `errors`. May throw what reading the value throws. */
  readonly collect: { (value: unknown): boolean; errors?: readonly RawProblem[] | null };
  readonly schema: () => JsonSchema;
}

export function createValidator<T>(name: string, tolerant: Compiled, exact: Compiled): Validator<T> {
  return Object.freeze(
    Object.assign(createReading<T>(name, tolerant), { name, exact: Object.freeze(createReading<T>(name, exact)) }),
  );
}

function createReading<T>(name: string, compiled: Compiled): Reading<T> {
  const is = compiled.is as (value: unknown) => value is T;
  let schema: JsonSchema | undefined;
  const standard: StandardSchema<T> = freeze({
    version: 1,
    vendor: 'banking-api-contract',
    validate: (value) => {
      if (is(value)) return { value };
      return {
        issues: problemsOf(compiled, value).map((problem) => {
          return { message: formatDifference(problem), path: pathOf(value, problem.pointer) };
        }),
      };
    },
  });
  return {
    is,
    assert: (value) => {
      if (!is(value)) throw new ValidationError(name, problemsOf(compiled, value));
    },
    check: (value) => {
      return is(value) ? { valid: true, value } : { valid: false, problems: problemsOf(compiled, value) };
    },
    get schema() {
      schema ??= freeze(compiled.schema());
      return schema;
    },
    '~standard': standard,
  };
}

/** All problems of a value that is not valid: at least one. */
function problemsOf({ collect }: Compiled, value: unknown): readonly Problem[] {
  try {
    const problems = collect(value) ? [] : (collect.errors ?? []).map((raw) => toProblem(raw, value));
    if (problems.length > 0) return problems;
  } catch {
    // a getter or a proxy that throws; what it throws may hold anything, so it is dropped
  } finally {
    collect.errors = null;
  }
  return [
    { pointer: '', keyword: 'readable', expected: 'a value that can be read', actual: 'one that throws or changes' },
  ];
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}
