import { array, assert, constantFrom, jsonValue, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { duplicateKeys } from '../../src/judge/duplicate-keys.ts';
import { looksLikeId } from '../../src/schema/key-names.ts';

test.each([
  ['{"a":"\\"a\\":","b":{"a":1}}', []],
  ['[{"a":1},{"a":2}]', []],
  ['{"a":{"b":1,"c":[]},"a":{"b":1}}', ['/a']],
  ['{"a/b":1,"a/b":2}', ['/*']],
  ['{"acc-1234":{"x":1,"x":2}}', ['/*/x']],
  ['{"":1,"":2}', ['/*']],
  ['"a"', []],
])('the duplicate fields of %s', (text, places) => {
  expect([...duplicateKeys(text, JSON.parse(text), looksLikeId).keys()]).toEqual(places);
});

test('a text is scanned whenever it repeats a name', () => {
  const members = array(tuple(constantFrom('a', 'b:', '\\":', '__proto__'), jsonValue()), { maxLength: 4 });
  assert(
    property(array(members, { maxLength: 3 }), (objects) => {
      const textOf = (each: (typeof objects)[number]): string =>
        `{${each.map(([name, value], at) => `"${name}"${' '.repeat(at % 2)}:${JSON.stringify(value)}`).join(', ')}}`;
      const text = `[${objects.map(textOf).join(',')}]`;
      const repeated = objects.flatMap((each) =>
        each.filter(([name], at) => each.some((one, i) => i < at && one[0] === name)),
      );
      const found = duplicateKeys(text, JSON.parse(text), looksLikeId);
      expect([...found.values()].reduce((sum, times) => sum + times, 0)).toBe(repeated.length);
    }),
  );
});
