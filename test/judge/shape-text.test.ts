import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createShape, observe } from '../../src/judge/shape.ts';
import { textOfSchema, textOfShape, typesOfShape } from '../../src/judge/shape-text.ts';

const shape = (...values: readonly unknown[]) => {
  const all = createShape();
  for (const value of values) observe(all, value);
  return all;
};

describe('what was seen, in words', () => {
  test('names types, fields and what comes and goes, in an order of its own', () => {
    expect(textOfShape(shape('x', 'y'))).toBe('string');
    expect(textOfShape(shape(1, 2.5, null))).toBe('number or null');
    expect(textOfShape(shape({ b: 'x', a: 1 }, { a: 2 }))).toBe('object { a: integer, b?: string }');
    expect(textOfShape(shape({ list: [{ n: 1 }, { n: 2, m: true }] }))).toBe(
      'object { list: array of object { m?: boolean, n: integer } }',
    );
    expect(textOfShape(shape([], {}))).toBe('array or object');
  });

  test('is bounded in breadth and depth, and never holds a key that is an id', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`f${String.fromCharCode(97 + index)}`, 1]),
    );
    expect(textOfShape(shape(wide))).toBe('object with fa, fb, fc, fd and 16 more');
    expect(textOfShape(shape({ a: { b: { c: { d: { e: 1 } } } } }))).toBe(
      'object { a: object { b: object { c: object { d: object } } } }',
    );
    expect(textOfShape(shape({ 'acc-4711': { n: 1 }, 'acc-4712': { n: 'x' } }))).toBe(
      'object { *: object { n: integer or string } }',
    );
  });

  test('the types alone do not move with null, order or what is inside', () => {
    expect(typesOfShape(shape(null, { a: 1 }))).toBe('object');
    expect(typesOfShape(shape('x', 1, 1.5))).toBe('number or string');
    expect(typesOfShape(shape(null))).toBe('null');
  });
});

const contract = await loadContract();

describe('what a schema describes, in the same words', () => {
  const of = (name: string, ...more: readonly string[]) =>
    textOfSchema(contract, ['/components/schemas', name, ...more].join('/'));

  test('names fields and which are optional', () => {
    expect(of('Token', 'properties', 'expires_in')).toBe('integer');
    expect(of('Token')).toBe(
      'object { access_token: string, expires_in: integer, jti: string, scope: string, token_type: string }',
    );
    expect(of('Client')).toBe('object { paymentProvider?: string }');
  });

  test('is null where nothing is said', () => {
    expect(of('nothing')).toBe(null);
  });
});
