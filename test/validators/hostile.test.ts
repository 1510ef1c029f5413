import { describe, expect, it } from 'vitest';
import { Card, Token, Transaction, ValidationError } from '../../generated/validators/all.ts';
import { VALIDATORS } from '../../generated/validators/by-name.ts';
import type { Reading } from '../../src/validators/validator.ts';
import { cpuTime } from '../support/growth.ts';

const token = { access_token: 'a.b.c', expires_in: 3599, jti: 'j', scope: '', token_type: 'bearer' };
const thrower = (): never => {
  throw new Error('secret-of-the-getter');
};

const revoked = Proxy.revocable({}, {});
revoked.revoke();

function assert(reading: Reading<unknown>, value: unknown): void {
  reading.assert(value);
}

const HOSTILE: [string, () => unknown][] = [
  ['a getter that throws', () => Object.defineProperty({ ...token }, 'jti', { get: thrower, enumerable: true })],
  ['a proxy that throws', () => new Proxy(token, { get: thrower })],
  ['a proxy that hides its keys', () => new Proxy(token, { ownKeys: thrower, getOwnPropertyDescriptor: thrower })],
  ['a proxy without a prototype', () => new Proxy(token, { getPrototypeOf: thrower })],
  ['a revoked proxy', () => revoked.proxy],
];

describe('M3: hostile values never crash a validator', () => {
  it.each(HOSTILE)('%s never makes a validator throw, except assert with a ValidationError', (_what, make) => {
    for (const validator of Object.values(VALIDATORS)) {
      const readings: readonly Reading<unknown>[] = [validator, validator.exact];
      for (const reading of readings) {
        expect(typeof reading.is(make())).toBe('boolean');
        const result = reading.check(make());
        expect(JSON.stringify(result.valid || result.problems)).not.toContain('secret-of-the-getter');
        expect(() => reading['~standard'].validate(make())).not.toThrow();
        try {
          assert(reading, make());
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
          expect(String((error as Error).stack)).not.toContain('secret-of-the-getter');
        }
      }
    }
  });

  it('a value that throws while it is read is reported as unreadable', () => {
    expect(Token.check(new Proxy(token, { get: thrower }))).toMatchObject({
      problems: [{ pointer: '', keyword: 'readable' }],
    });
  });

  it('inherited fields do not count', () => {
    expect(Token.is(Object.create(token))).toBe(false);
    expect(Token.is(Object.assign(Object.create(null), token))).toBe(true);
    expect(Card.is(Object.create({ token: 5 }))).toBe(true);
  });

  it('fields added to Object.prototype do not count', () => {
    const { jti, ...rest } = token;
    Object.defineProperty(Object.prototype, 'jti', { value: jti, configurable: true, writable: true });
    try {
      expect(Token.is(rest)).toBe(false);
      expect(Token.check(rest)).toMatchObject({ problems: [{ pointer: '/jti', keyword: 'required' }] });
      expect(Token.is(JSON.parse(JSON.stringify(token)))).toBe(true);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'jti');
    }
  });

  it('__proto__ in a JSON text is a normal field and does not change the prototype', () => {
    const value = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1, "token": "t"}');
    expect(Card.is(value)).toBe(true);
    expect(Card.exact.check(value)).toMatchObject({
      problems: [{ pointer: '/__proto__' }, { pointer: '/constructor' }],
    });
    expect(Card.exact['~standard'].validate(value)).toMatchObject({
      issues: [{ path: ['__proto__'] }, { path: ['constructor'] }],
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('a cyclic value does not loop', () => {
    const value: Record<string, unknown> = { purposeCode: 'P' };
    value.paymentProviderDetails = value;
    value.self = value;
    expect(Transaction.is(value)).toBe(true);
    expect(Transaction.exact.is(value)).toBe(false);
  });

  it('a huge value is rejected soon', () => {
    const start = cpuTime();
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`f${n}`, 0]));
    expect(Card.is(wide)).toBe(true);
    expect(Card.exact.is(wide)).toBe(false);
    const long = 'x'.repeat(20_000_000);
    expect(Token.is({ ...token, token_type: long })).toBe(false);
    expect(
      Transaction.is({ paymentProviderDetails: { settlementDate: `2024-01-01T00:00:00.${'1'.repeat(1_000_000)}Z` } }),
    ).toBe(true);
    expect(Transaction.check({ paymentProviderDetails: { settlementDate: long } }).valid).toBe(false);
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(Card.exact.is(deep)).toBe(false);
    expect(cpuTime() - start).toBeLessThan(10_000);
  });

  it('a check inside a check does not interfere', () => {
    const value = Object.defineProperty({ ...token, scope: 1 }, 'jti', {
      enumerable: true,
      get: () => {
        Token.check({});
        return 5;
      },
    });
    expect(Token.check(value)).toMatchObject({ problems: [{ pointer: '/jti' }, { pointer: '/scope' }] });
  });
});

it.each([
  ['Promise', () => Promise.resolve({})],
  ['Response', () => new Response('{}')],
  ['Map', () => new Map()],
  ['Date', () => new Date()],
])('a %s is rejected, because JSON cannot hold it', (actual, make) => {
  const expected = 'a value that JSON can hold';
  for (const reading of [Card, Card.exact]) {
    expect(reading.is(make())).toBe(false);
    expect(reading.check(make())).toEqual({
      valid: false,
      problems: [{ pointer: '', keyword: 'type', expected, actual }],
    });
  }
});
