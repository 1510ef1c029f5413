/** What an exported validator offers. Types only: importing this costs nothing. */

/** One way in which a value differs from its schema. It never holds the value itself, so that it can be logged. */
export interface Problem {
  /**
   * JSON pointer (RFC 6901) of the place in the value; of the missing or undocumented field itself. Empty for the whole value. What cannot be
   * printed in the name of a field is escaped (`\n`, `\x1b`).
   */
  readonly pointer: string;
  /** JSON Schema keyword that failed, such as `type`, `required`, `format`, `additionalProperties`; `readable` for a value that throws when it is read. */
  readonly keyword: string;
  /** What the schema asks for, such as `string` or `at most 100000 GBP`. */
  readonly expected: string;
  /** JSON type of what is there, with a length class for strings and arrays: `string(10-99)`, `number with a fraction`, `nothing`. */
  readonly actual: string;
}

export type CheckResult<T> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly problems: readonly Problem[] };

/** A JSON Schema (2020-12) that refers to nothing outside itself. Frozen. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** One reading of a schema, without the schema itself. Every function may be taken off the object: none uses `this`. None throws but `assert`. */
export interface LightReading<T> {
  /** The quickest answer: true or false, without a reason. A value that throws when it is read is not valid. */
  readonly is: (value: unknown) => value is T;
  /** Throws a `ValidationError` with every problem. */
  readonly assert: (value: unknown) => asserts value is T;
  /** The value itself (not a copy), or every problem. */
  readonly check: (value: unknown) => CheckResult<T>;
  /** Standard Schema v1: what tRPC, Hono, form libraries and others take. */
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

/** The two readings of a schema: the object itself is the tolerant one, in which unknown fields pass. */
export interface Validator<T> extends Reading<T> {
  /** Name of the schema, as the API reference has it. */
  readonly name: string;
  /** The reading for audits: a field that the reference does not document is a problem, at every level. */
  readonly exact: Reading<T>;
}

/** A validator that also knows maxima which depend on the currency (API reference, Limits). */
export interface CurrencyValidator<T> extends Validator<T> {
  /**
   * The reading for one currency: limits have that currency's maxima.
   *
   * @param currency ISO 4217 code, such as `GBP`, in any case.
   *   Maxima are in major units (pounds, euros); that is an assumption, for the reference shows amounts such as 100000.00 and integer fields.
   * @throws TypeError for what is no code; RangeError for a currency for which the reference states no maximum, unless that is asked for.
   */
  readonly forCurrency: (currency: string, options?: CurrencyOptions) => Validator<T>;
}

export interface LightCurrencyValidator<T> extends LightValidator<T> {
  readonly forCurrency: (currency: string, options?: CurrencyOptions) => LightValidator<T>;
}

export interface CurrencyOptions {
  /** Take a currency for which no maximum is stated: nothing then bounds an amount. */
  readonly unlimited?: boolean;
}

/** https://standardschema.dev, version 1, written out so that the types need no dependency. */
export interface LightStandardSchema<T> {
  readonly version: 1;
  readonly vendor: 'banking-api-contract';
  readonly validate: (value: unknown) => StandardResult<T>;
  /** For type inference only; absent at run time. */
  readonly types?: { readonly input: T; readonly output: T } | undefined;
}

export interface StandardSchema<T> extends LightStandardSchema<T> {
  /** Standard JSON Schema: the schema in a dialect, `draft-2020-12` or `draft-07`; throws for another, and for what that one cannot say. */
  readonly jsonSchema: {
    readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    readonly output: (options: { readonly target: string }) => Record<string, unknown>;
  };
}

export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[] };
