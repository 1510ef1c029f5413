import { Ajv } from 'ajv';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  Card,
  type CheckResult,
  CreateNewBeneficiaryRequest,
  formatProblem,
  IssueNewCardRequest,
  type Problem,
  Token,
  Transaction,
  ValidationError,
} from '../../generated/validators/all.ts';
import { VALIDATORS } from '../../generated/validators/by-name.ts';
import { loadContract } from '../../src/contract/load.ts';
import { jsonSchemaFor } from '../../src/validators/json-schema.ts';

const token = { access_token: 'a.b.c', expires_in: 3599, jti: 'j', scope: '', token_type: 'bearer' };

function problemsOf(result: CheckResult<unknown>): readonly Problem[] {
  return result.valid ? [] : result.problems;
}

describe('all validators', () => {
  it('there is a validator for every documented schema', async () => {
    const { at } = await loadContract();
    expect(Object.keys(VALIDATORS).sort()).toEqual(Object.keys(at('/components/schemas') as object).sort());
  });

  it.each(Object.entries(VALIDATORS))('the functions of %s work detached from their object', (name, validator) => {
    const { is, check, assert, exact } = validator;
    expect(is([])).toBe(false);
    expect(check([]).valid).toBe(false);
    expect(() => assert([])).toThrow(ValidationError);
    expect(exact.is([])).toBe(false);
    expect(validator.name).toBe(name);
    expect(Object.isFrozen(validator)).toBe(true);
  });

  it.each(Object.entries(VALIDATORS))('%s rejects null, primitives and arrays', (_name, validator) => {
    for (const value of [null, undefined, 0, '', 'x', true, [], [{}], 1n, () => 1]) {
      expect(validator.is(value)).toBe(false);
      expect(problemsOf(validator.check(value))).toMatchObject([{ pointer: '', keyword: 'type', expected: 'object' }]);
    }
  });
});

describe('check', () => {
  it('check returns the typed value itself', () => {
    const value: unknown = token;
    const result = Token.check(value);
    if (!result.valid) throw new Error('not valid');
    expect(result.value).toBe(value);
    expectTypeOf(result.value.expires_in).toEqualTypeOf<number>();
  });

  it('check reports every problem with pointer, keyword, expectation and shape', () => {
    expect(problemsOf(Token.check({ access_token: 5, expires_in: 1.5, scope: [1], token_type: 'mac' }))).toEqual([
      { pointer: '/jti', keyword: 'required', expected: 'a required field', actual: 'nothing' },
      { pointer: '/access_token', keyword: 'type', expected: 'string', actual: 'integer' },
      { pointer: '/expires_in', keyword: 'type', expected: 'integer', actual: 'number with a fraction' },
      { pointer: '/scope', keyword: 'type', expected: 'string', actual: 'array(1-9)' },
      {
        pointer: '/token_type',
        keyword: 'pattern',
        expected: 'text that matches ^[Bb][Ee][Aa][Rr][Ee][Rr]$',
        actual: 'string(1-9)',
      },
    ]);
  });

  it('check states only the magnitude of string lengths, so that problems can be logged', () => {
    const secret = 'hunter2-hunter2-hunter2';
    const value = { ...token, expires_in: secret, jti: { secret }, scope: [secret], token_type: secret };
    const problems = problemsOf(Token.check(value));
    expect(problems).toHaveLength(4);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
    expect(problems[0]).toMatchObject({ pointer: '/expires_in', actual: 'string(10-99)' });
    try {
      Token.assert(value);
    } catch (error) {
      expect(`${(error as Error).message}${(error as Error).stack}${JSON.stringify(error)}`).not.toContain('hunter2');
    }
  });
});

describe('assert', () => {
  it('assert throws one error with every problem, and nothing for a valid value', () => {
    const value: unknown = token;
    Token.assert(value);
    expectTypeOf(value).toEqualTypeOf<Token>();
    try {
      Token.assert({});
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      expect(error.name).toBe('ValidationError');
      expect(error.schema).toBe('Token');
      expect(error.problems.map(({ pointer }) => pointer)).toEqual([
        '/access_token',
        '/expires_in',
        '/jti',
        '/scope',
        '/token_type',
      ]);
      expect(error.message).toContain('/jti: expected a required field, found nothing');
    }
  });

  it('assert keeps its message short for many problems', () => {
    const value = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field${n}`, n]));
    const problems = problemsOf(Card.exact.check(value));
    expect(problems).toHaveLength(5000);
    expect(() => Card.exact.assert(value)).toThrow(/and 4990 more$/);
  });
});

describe('tolerant and exact checks', () => {
  it('the tolerant check accepts undocumented fields', () => {
    expect(Card.is({ cardId: 'c1', token: 't' })).toBe(true);
    expect(Transaction.is({ id: 1, paymentProviderDetails: { more: true } })).toBe(true);
  });

  it('the exact check reports undocumented fields at every level', () => {
    const value = { id: 1, purposeCode: 'P', paymentProviderDetails: { rate: 1.1, 'a/b~c': [] } };
    expect(problemsOf(Transaction.exact.check(value))).toEqual([
      { pointer: '/id', keyword: 'additionalProperties', expected: 'no undocumented field', actual: 'integer' },
      {
        pointer: '/paymentProviderDetails/a~1b~0c',
        keyword: 'additionalProperties',
        expected: 'no undocumented field',
        actual: 'array(0)',
      },
    ]);
  });

  it('the exact check also reports mistakes in documented fields', () => {
    expect(problemsOf(Card.exact.check({ token: 1, x: 1 })).map(formatProblem)).toEqual([
      '/x: expected no undocumented field, found integer',
      '/token: expected string, found integer',
    ]);
  });
});

describe('settlementDate (API reference, Transaction: ISO 8601 date-time, UTC)', () => {
  const check = (settlementDate: unknown) => Transaction.check({ paymentProviderDetails: { settlementDate } });

  it.each(['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.123+00:00', '2016-12-31T23:59:60Z'])('%s is valid', (text) => {
    expect(check(text).valid).toBe(true);
  });

  it.each([
    '2024-02-31T00:00:00Z',
    '2024-01-01T00:00:00+02:00',
    '2024-01-01T00:00:00',
    '2024-01-01',
    '1 January',
    '',
    1704067200,
  ])('%s is invalid', (value) => {
    const pointers = problemsOf(check(value)).map(({ pointer }) => pointer);
    expect(new Set(pointers)).toEqual(new Set(['/paymentProviderDetails/settlementDate']));
  });
});

describe('forCurrency (API reference, Limits)', () => {
  it.each([
    ['GBP', 'cardLimitDaily', 100_000],
    ['GBP', 'cardLimitMonthly', 250_000],
    ['GBP', 'cardLimitTransaction', 100_000],
    ['EUR', 'cardLimitDaily', 115_000],
    ['EUR', 'cardLimitMonthly', 290_000],
    ['EUR', 'cardLimitTransaction', 115_000],
  ])('%s: %s is at most %d', (currency, field, maximum) => {
    const reading = IssueNewCardRequest.forCurrency(currency);
    expect(reading.is({ [field]: maximum })).toBe(true);
    expect(problemsOf(reading.check({ [field]: maximum + 1 }))).toEqual([
      { pointer: `/${field}`, keyword: 'maximum', expected: `at most ${maximum} ${currency}`, actual: 'more' },
    ]);
    expect(reading.exact.is({ [field]: maximum + 1 })).toBe(false);
    expect(reading.exact.is({ [field]: maximum, other: 1 })).toBe(false);
    expect(reading.schema).toMatchObject({ properties: { [field]: { maximum } } });
  });

  it('currency codes are case-insensitive, and without a code there is no maximum', () => {
    expect(IssueNewCardRequest.forCurrency('gbp')).toBe(IssueNewCardRequest.forCurrency('GBP'));
    expect(IssueNewCardRequest.is({ cardLimitDaily: 1e9 })).toBe(true);
  });

  it('a currency without maxima needs the option unlimited', () => {
    expect(() => IssueNewCardRequest.forCurrency('GPB')).toThrow(
      new RangeError('no maximum is stated for GPB, only for GBP and EUR'),
    );
    expect(IssueNewCardRequest.forCurrency('USD', { unlimited: true }).is({ cardLimitDaily: 1e9 })).toBe(true);
    expect(IssueNewCardRequest.forCurrency('GBP', { unlimited: true }).is({ cardLimitDaily: 1e9 })).toBe(false);
  });

  it('the message of a limit contains currency and maximum', () => {
    expect(() => IssueNewCardRequest.forCurrency('EUR').assert({ cardLimitDaily: 115_001 })).toThrow(
      '/cardLimitDaily: expected at most 115000 EUR, found more',
    );
  });

  it.each(['', 'GB', 'pounds', '__proto__', 5, null])('%j is not a currency code and is rejected', (currency) => {
    expect(() => IssueNewCardRequest.forCurrency(currency as string)).toThrow(TypeError);
  });
});

describe('field names in messages', () => {
  const name = 'a\n\u001b[31m/~b\u2028::error ::c';
  const shown = '/a\\n\\x1b[31m~1~0b\\u2028\\x3a:error ::c';

  it('a field name is printable in messages, and unchanged in the path of an issue', () => {
    const value = { [name]: 1 };
    expect(problemsOf(Card.exact.check(value)).map(({ pointer }) => pointer)).toEqual([shown]);
    expect(() => Card.exact.assert(value)).toThrow(`not a valid Card:\n  ${shown}: expected no undocumented field`);
    const { issues } = Card.exact['~standard'].validate(value);
    expect(issues).toMatchObject([{ path: [name] }]);
  });
});

describe('Standard JSON Schema', () => {
  const { input, output } = IssueNewCardRequest.forCurrency('GBP')['~standard'].jsonSchema;

  it('the schema is returned in the requested dialect', () => {
    expect(input({ target: 'draft-2020-12' })).toEqual(IssueNewCardRequest.forCurrency('GBP').schema);
    const older = output({ target: 'draft-07' });
    expect(older).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { cardLimitDaily: { maximum: 100_000 } },
    });
    expect(new Ajv({ formats: { 'date-time': true } }).compile(older)({ cardLimitDaily: 100_001 })).toBe(false);
    older.properties = {};
    expect(output({ target: 'draft-07' }).properties).not.toEqual({});
  });

  it.each(Object.entries(VALIDATORS))('every schema has both dialects: %s', (_, validator) => {
    for (const reading of [validator, validator.exact]) {
      const { jsonSchema } = reading['~standard'];
      expect(jsonSchema.input({ target: 'draft-2020-12' })).toEqual(reading.schema);
      new Ajv({ formats: { 'date-time': true } }).compile(jsonSchema.input({ target: 'draft-07' }));
    }
  });

  it('an unsupported dialect throws', () => {
    expect(() => input({ target: 'openapi-3.0' })).toThrow(/openapi-3\.0: draft-2020-12 or draft-07/);
  });

  it('definitions differ from data and fields of that name; draft 7 limitations are handled', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { Node: { properties: { $defs: { const: { $defs: 1 } }, next: { $ref: '#/$defs/Node' } } } },
      $ref: '#/$defs/Node',
    };
    expect(jsonSchemaFor(schema, 'draft-07')).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { Node: { properties: { $defs: { const: { $defs: 1 } }, next: { $ref: '#/definitions/Node' } } } },
      $ref: '#/definitions/Node',
    });
    expect(() => jsonSchemaFor({ unevaluatedProperties: false }, 'draft-07')).toThrow(/unevaluatedProperties/);
    expect(() => jsonSchemaFor({ properties: { prefixItems: {} } }, 'draft-07')).not.toThrow();
  });
});

describe('Standard Schema v1', () => {
  it('the members of the specification exist', () => {
    const standard = Token['~standard'];
    expect(standard).toMatchObject({ version: 1, vendor: 'banking-api-contract', validate: expect.any(Function) });
    expectTypeOf<NonNullable<(typeof standard)['types']>['output']>().toEqualTypeOf<Token>();
  });

  it('the result is the value, or issues whose path leads to the place', () => {
    expect(Token['~standard'].validate(token)).toEqual({ value: token });
    const value = { paymentProviderDetails: { rate: '1' } };
    expect(Transaction['~standard'].validate(value)).toEqual({
      issues: [{ message: 'expected number, found string(1-9)', path: ['paymentProviderDetails', 'rate'] }],
    });
    expect(Transaction.exact['~standard'].validate({ 'a/b': 1 })).toMatchObject({ issues: [{ path: ['a/b'] }] });
  });
});

describe('schema', () => {
  it('the schema is a frozen JSON Schema without external references', () => {
    expect(Transaction.schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Transaction',
    });
    expect(JSON.stringify(Transaction.schema)).not.toMatch(/"\$ref":"(?!#\/\$defs\/)/);
    expect(Object.isFrozen(Transaction.schema.properties)).toBe(true);
    expect(Transaction.schema).toBe(Transaction.schema);
  });

  it('the schema keeps the documented default', () => {
    expect(CreateNewBeneficiaryRequest.schema).toMatchObject({
      properties: { visible: { type: 'boolean', default: true } },
    });
    expect(CreateNewBeneficiaryRequest.is({})).toBe(true);
  });
});
