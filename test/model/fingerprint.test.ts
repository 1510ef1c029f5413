import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprint, type Identity } from '../../src/model/finding.ts';

const identity: Identity = {
  rule: 'type-contradicted',
  operationId: 'getCard',
  pointer: '/token',
  expected: 'string',
  actual: 'integer',
};

test('a fingerprint is the same in every run and on every machine', () => {
  expect(fingerprint(identity)).toBe('d3532d9367bb5220');
});

test('each part of the identity changes the fingerprint, and parts cannot run together', () => {
  const parts = ['rule', 'operationId', 'pointer', 'expected', 'actual'] as const;
  const all = parts.map((part) => fingerprint({ ...identity, [part]: `${identity[part]}x` }));
  expect(new Set([fingerprint(identity), ...all]).size).toBe(parts.length + 1);
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
      fc.pre(b !== '');
      const one = fingerprint({ ...identity, pointer: a + b, expected: c });
      const two = fingerprint({ ...identity, pointer: a, expected: b + c });
      expect(one === two).toBe(false);
    }),
  );
});

test('other properties do not change the fingerprint', () => {
  const noisy = { ...identity, message: 'prose', occurrences: 7, exchanges: [1, 2] };
  expect(fingerprint(noisy)).toBe(fingerprint(identity));
});
