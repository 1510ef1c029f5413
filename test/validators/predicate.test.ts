import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VALIDATORS } from '../../generated/validators/by-name.ts';
import { loadContract } from '../../src/contract/load.ts';
import { strictAjv } from '../../src/generate/collector.ts';
import { compilePredicate } from '../../src/generate/predicate.ts';
import { compilable, componentSchemas, currenciesOf, exact, forCurrency } from '../../src/generate/schemas.ts';
import type { Reading } from '../../src/validators/validator.ts';
import { anyRecord } from './arbitrary.ts';

const { document } = await loadContract();
const all = componentSchemas(document);

/** Every reading that is exported, with what Ajv makes of its schema at run time. */
const readings: [string, Reading<unknown>, (value: unknown) => boolean][] = all.flatMap(({ name, schema }) => {
  const validator = VALIDATORS[name];
  if (!validator) throw new Error(`${name} is not exported`);
  const plain = compilable(schema, all);
  const rows: [string, Reading<unknown>, (value: unknown) => boolean][] = [
    [name, validator, strictAjv().compile(plain)],
    [`${name}.exact`, validator.exact, strictAjv().compile(exact(plain))],
  ];
  if (!('forCurrency' in validator)) return rows;
  for (const currency of currenciesOf(schema)) {
    const bounded = compilable(forCurrency(schema, currency), all);
    const reading = validator.forCurrency(currency);
    rows.push([`${name} in ${currency}`, reading, strictAjv().compile(bounded)]);
    rows.push([`${name} in ${currency}, exact`, reading.exact, strictAjv().compile(exact(bounded))]);
  }
  return rows;
});

describe('is', () => {
  it.each(readings)('%s answers as Ajv does at run time, whatever the value', (_name, reading, ajv) => {
    fc.assert(
      fc.property(anyRecord, (value) => {
        const valid = ajv(value);
        expect(reading.is(value)).toBe(valid);
        expect(reading.check(value).valid).toBe(valid);
      }),
      { numRuns: 1500 },
    );
  });

  it.each(readings)(
    '%s says yes to some of the values that the test makes, and no to others',
    (_name, _reading, ajv) => {
      const answers = new Set(fc.sample(anyRecord, { numRuns: 1500, seed: 7 }).map((value) => ajv(value)));
      expect([...answers].sort()).toEqual([false, true]);
    },
  );
});

describe('the predicate compiler', () => {
  it.each([
    [{ type: 'object', patternProperties: {} }],
    [{ type: 'string', format: 'uuid' }],
    [{ type: ['string', 'null'] }],
    [{ anyOf: [] }],
  ])('refuses %j rather than ignore what it does not know', (schema) => {
    expect(() => compilePredicate('is', schema)).toThrow();
  });
});
