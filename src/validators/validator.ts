/** Types of the exported validators. Types only, so importing this costs nothing. */

/** One difference between a value and its schema. It never holds the value itself, so it can be logged. */
export interface Problem {
  /**
   * JSON pointer (RFC 6901) of the place in the value, or of the missing or undocumented field. Empty for the whole
   * value. Unprintable characters in field names are escaped (`\n`, `\x1b`).
   */
  readonly pointer: string;
  /** Failed JSON Schema keyword, for instance `required` or `format`; `readable` if reading the value throws. */
  readonly keyword: string;
  /** The requirement of the schema, for instance `string` or `at most 100000 GBP`. */
  readonly expected: string;
  /** JSON type of the actual value, with a length class: `string(10-99)`, `number with a fraction`, `nothing`. */
  readonly actual: string;
}

export type CheckResult<T> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly problems: readonly Problem[] };

/** A self-contained JSON Schema (2020-12). Frozen. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** One reading of a schema, without the schema itself. No function uses `this`, and only `assert` throws. */
export interface LightReading<T> {
  /** The fastest check: true or false, without a reason. A value that throws when it is read is invalid. */
  readonly is: (value: unknown) => value is T;
  /** Throws a `ValidationError` with all problems. */
  readonly assert: (value: unknown) => asserts value is T;
  /** The value itself (not a copy), or all problems. */
  readonly check: (value: unknown) => CheckResult<T>;
  /** Standard Schema v1, for tRPC, Hono, form libraries and others. */
  readonly '~standard': LightStandardSchema<T>;
}

export interface Reading<T> extends LightReading<T> {
  readonly schema: JsonSchema;
  readonly '~standard': StandardSchema<T>;
}

/** A validator without `schema` and Standard JSON Schema, for pages where every kilobyte counts. */
export interface LightValidator<T> extends LightReading<T> {
  readonly name: string;
  readonly exact: LightReading<T>;
}

/** The two readings of a schema. The object itself is the tolerant one: unknown fields pass. */
export interface Validator<T> extends Reading<T> {
  /** Name of the schema in the API reference. */
  readonly name: string;
  /** The strict reading for audits: an undocumented field is a problem, at every level. */
  readonly exact: Reading<T>;
}

/** A validator with maxima that depend on the currency. */
export interface CurrencyValidator<T> extends Validator<T> {
  /**
   * The reading for one currency: limits have that currency's maxima.
   *
   * @param currency ISO 4217 code in upper or lower case, for instance `GBP`.
   *   Maxima are in major units. That is an assumption: the reference shows 100000.00, and integer fields.
   * @throws TypeError for an invalid code; RangeError if the reference states no maximum, unless `unlimited` is set
   */
  readonly forCurrency: (currency: string, options?: CurrencyOptions) => Validator<T>;
}

export interface LightCurrencyValidator<T> extends LightValidator<T> {
  readonly forCurrency: (currency: string, options?: CurrencyOptions) => LightValidator<T>;
}

export interface CurrencyOptions {
  /** Accept a currency without a stated maximum. Amounts are then unbounded. */
  readonly unlimited?: boolean;
}

/** https://standardschema.dev, version 1, copied so that the types need no dependency. */
export interface LightStandardSchema<T> {
  readonly version: 1;
  readonly vendor: 'banking-api-contract';
  readonly validate: (value: unknown) => StandardResult<T>;
  /** For type inference only; absent at run time. */
  readonly types?: { readonly input: T; readonly output: T } | undefined;
}

export interface StandardSchema<T> extends LightStandardSchema<T> {
  /** Standard JSON Schema: the schema as `draft-2020-12` or `draft-07`. Throws if that is unknown or too limited. */
  readonly jsonSchema: {
    readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    readonly output: (options: { readonly target: string }) => Record<string, unknown>;
  };
}

export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[] };
