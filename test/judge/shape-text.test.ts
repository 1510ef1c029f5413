import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createShape, observe } from '../../src/judge/shape.ts';
import { textOfSchema, textOfShape, typesOfShape } from '../../src/judge/shape-text.ts';

const shape = (...values: readonly unknown[]) => {
  const all = createShape();
  for (const value of values) observe(all, value);
  return all;
};

describe('observed shapes as text', () => {
  test('a shape names types, fields and optional members in sorted order', () => {
    expect(textOfShape(shape('x', 'y'))).toBe('string');
    expect(textOfShape(shape(1, 2.5, null))).toBe('number or null');
    expect(textOfShape(shape({ b: 'x', a: 1 }, { a: 2 }))).toBe('object { a: integer, b?: string }');
    expect(textOfShape(shape({ list: [{ n: 1 }, { n: 2, m: true }] }))).toBe(
      'object { list: array of object { m?: boolean, n: integer } }',
    );
    expect(textOfShape(shape([], {}))).toBe('array or object');
  });

  test('a shape is limited in width and depth, and never contains an id as a key', () => {
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

  test('the types alone do not depend on null, order or content', () => {
    expect(typesOfShape(shape(null, { a: 1 }))).toBe('object');
    expect(typesOfShape(shape('x', 1, 1.5))).toBe('number or string');
    expect(typesOfShape(shape(null))).toBe('null');
  });
});

const contract = await loadContract();

describe('schemas as text', () => {
  const of = (name: string, ...more: readonly string[]) =>
    textOfSchema(contract, ['/components/schemas', name, ...more].join('/'));

  test("a schema's text names its fields and marks optional ones", () => {
    expect(of('Token', 'properties', 'expires_in')).toBe('integer');
    expect(of('Token')).toBe(
      'object { access_token: string, expires_in: integer, jti: string, scope: string, token_type: string }',
    );
    expect(of('Client')).toBe('object { paymentProvider?: string }');
  });

  test('an empty schema has no text', () => {
    expect(of('nothing')).toBe(null);
  });
});
