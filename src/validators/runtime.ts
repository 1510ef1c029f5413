import { formatDifference, pathOf, type RawProblem, toProblem, ValidationError } from './problem.ts';
import type { CurrencyValidator, JsonSchema, Problem, Reading, StandardSchema, Validator } from './validator.ts';

/** Makes the exported validators out of what the generator compiled. */

/** One reading of a schema as the generator emits it. */
interface Compiled {
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

/** Adds `forCurrency` to a validator: `byCurrency` has the readings with maxima, under codes in capitals. */
export function createCurrencyValidator<T>(
  plain: Validator<T>,
  byCurrency: Readonly<Record<string, Validator<T>>>,
): CurrencyValidator<T> {
  const forCurrency = (currency: string): Validator<T> => {
    if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency)) {
      throw new TypeError('currency must be an ISO 4217 code of three letters, such as GBP');
    }
    const code = currency.toUpperCase();
    return (Object.hasOwn(byCurrency, code) ? byCurrency[code] : undefined) ?? plain;
  };
  // descriptors, because `schema` is made when it is first asked for
  const own = Object.getOwnPropertyDescriptors(plain);
  return Object.freeze(
    Object.defineProperties({}, { ...own, forCurrency: { value: forCurrency, enumerable: true } }),
  ) as CurrencyValidator<T>;
}
