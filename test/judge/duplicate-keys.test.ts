import { expect, test } from 'vitest';
import { duplicateKeys } from '../../src/judge/duplicate-keys.ts';
import { looksLikeId } from '../../src/judge/strings.ts';

test.each([
  ['{"a":"\\"a\\":","b":{"a":1}}', []],
  ['[{"a":1},{"a":2}]', []],
  ['{"a":{"b":1,"c":[]},"a":{"b":1}}', ['/a']],
  ['{"a/b":1,"a/b":2}', ['/*']],
  ['{"acc-1234":{"x":1,"x":2}}', ['/*/x']],
  ['{"":1,"":2}', ['/*']],
  ['"a"', []],
])('the duplicate fields of %s', (text, places) => {
  expect([...duplicateKeys(text, looksLikeId).keys()]).toEqual(places);
});
