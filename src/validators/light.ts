import { plain } from '../text/plain.ts';
import { formatDifference, pathOf, type RawProblem, toProblem, ValidationError } from './problem.ts';
import type { CurrencyOptions, LightReading, LightStandardSchema, LightValidator, Problem } from './validator.ts';

/** Makes validators without schemas from the compiled functions. */

/** Ajv's function: leaves all problems in `errors`. Rethrows errors of getters in the value. */
export interface Judge {
  (value: unknown): boolean;
  errors?: readonly RawProblem[] | null;
}

/** Its maximum belongs to the currency if the plain reading has no maximum there. */
export interface OfCurrency {
  readonly code: string;
  readonly plain: Judge;
}

export function createLightValidator<T>(
  name: string,
  tolerant: Judge,
  exact: Judge,
  of?: OfCurrency,
): LightValidator<T> {
  const exactly = Object.freeze(createLightReading<T>(name, exact, of));
  return Object.freeze({ ...createLightReading<T>(name, tolerant, of), name, exact: exactly });
}

export function createLightReading<T>(name: string, judge: Judge, of: OfCurrency | undefined): LightReading<T> {
  const is = (value: unknown): value is T => holds(judge, value);
  const problems = (value: unknown): readonly Problem[] => rawProblems(judge, value, of).map(({ problem }) => problem);
  const standard: LightStandardSchema<T> = Object.freeze({
    version: 1,
    vendor: 'banking-api-contract',
    validate: (value: unknown) => {
      if (is(value)) return { value };
      return {
        issues: rawProblems(judge, value, of).map(({ problem, pointer }) => {
          return { message: formatDifference(problem), path: pathOf(value, pointer) };
        }),
      };
    },
  });
  return {
    is,
    assert: (value) => {
      if (!is(value)) throw new ValidationError(name, problems(value));
    },
    check: (value) => {
      return is(value) ? { valid: true, value } : { valid: false, problems: problems(value) };
    },
    '~standard': standard,
  };
}

/** `pointer` has the original characters. The pointer of the problem is always printable. */
interface Located {
  readonly problem: Problem;
  readonly pointer: string;
}

function rawProblems(judge: Judge, value: unknown, of: OfCurrency | undefined): readonly Located[] {
  try {
    const strange = strangeClass(value);
    if (strange !== undefined) {
      const expected = 'a value that JSON can hold';
      return [{ problem: { pointer: '', keyword: 'type', expected, actual: plain(strange) }, pointer: '' }];
    }
    const found = collected(judge, value);
    const maxima = new Set(of ? collected(of.plain, value).map(maximumOf) : []);
    const located = found.map((raw) => {
      const currency = of && !maxima.has(maximumOf(raw)) ? of.code : undefined;
      return toProblem(raw, value, currency);
    });
    if (located.length > 0) return located;
  } catch {
    // a getter or a proxy that throws: its error may hold anything
  }
  const actual = 'one that throws or changes';
  return [{ problem: { pointer: '', keyword: 'readable', expected: 'a value that can be read', actual }, pointer: '' }];
}

function holds(judge: Judge, value: unknown): boolean {
  try {
    if (strangeClass(value) === undefined && judge(value)) return true;
  } catch {
    // whatever it found before is no result
  }
  judge.errors = null;
  return false;
}

/** A Promise, Response, Map and the like has no members in JSON: an `await` or `json()` is missing. */
function strangeClass(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype) return undefined;
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return name === 'Object' || name === 'Array' ? undefined : name;
}

function collected(judge: Judge, value: unknown): readonly RawProblem[] {
  try {
    return judge(value) ? [] : (judge.errors ?? []);
  } finally {
    judge.errors = null;
  }
}

function maximumOf({ keyword, instancePath, params }: RawProblem): string {
  return keyword === 'maximum' ? `${instancePath} ${params.limit}` : '';
}

interface OfCurrencies<V> {
  readonly forCurrency: (currency: string, options?: CurrencyOptions) => V;
}

/** @param byCurrency the readings with maxima, by code in capitals */
export function createCurrencyValidator<V extends LightValidator<unknown>>(
  plain: V,
  byCurrency: Readonly<Record<string, V>>,
): V & OfCurrencies<V> {
  const forCurrency: OfCurrencies<V>['forCurrency'] = (currency, { unlimited = false } = {}) => {
    if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency)) {
      throw new TypeError('currency must be an ISO 4217 code of three letters, such as GBP');
    }
    const code = currency.toUpperCase();
    const reading = Object.hasOwn(byCurrency, code) ? byCurrency[code] : undefined;
    if (reading !== undefined) return reading;
    if (unlimited) return plain;
    const known = Object.keys(byCurrency).join(' and ');
    throw new RangeError(`no maximum is stated for ${code}, only for ${known}`);
  };
  // descriptors, because `schema` is computed on first use
  const own = Object.getOwnPropertyDescriptors(plain);
  return Object.freeze(
    Object.defineProperties({}, { ...own, forCurrency: { value: forCurrency, enumerable: true } }),
  ) as V & OfCurrencies<V>;
}
