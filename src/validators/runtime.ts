import { jsonSchemaFor } from './json-schema.ts';
import { createLightReading, type Judge, type OfCurrency } from './light.ts';
import type { JsonSchema, Reading, StandardSchema, Validator } from './validator.ts';

/** Makes the exported validators from the compiled functions. */

interface Published {
  readonly judge: Judge;
  readonly schema: () => JsonSchema;
}

export function createValidator<T>(name: string, tolerant: Published, exact: Published, of?: OfCurrency): Validator<T> {
  return Object.freeze(
    Object.assign(createReading<T>(name, tolerant, of), {
      name,
      exact: Object.freeze(createReading<T>(name, exact, of)),
    }),
  );
}

function createReading<T>(name: string, compiled: Published, of: OfCurrency | undefined): Reading<T> {
  let schema: JsonSchema | undefined;
  const { '~standard': light, ...reading } = createLightReading<T>(name, compiled.judge, of);
  const standard: StandardSchema<T> = freeze({
    ...light,
    jsonSchema: {
      input: ({ target }) => jsonSchemaFor(compiled.schema(), target),
      output: ({ target }) => jsonSchemaFor(compiled.schema(), target),
    },
  });
  return {
    ...reading,
    get schema() {
      schema ??= freeze(compiled.schema());
      return schema;
    },
    '~standard': standard,
  };
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}
