import { RegExpParser } from '@eslint-community/regexpp';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { compilePattern, type Test } from '../../src/patterns/compile.ts';
import { isLinear } from '../../src/patterns/linear.ts';
import { patternOf, preparePatterns } from '../../src/patterns/pattern.ts';
import { inRe2 } from '../../src/patterns/re2.ts';
import { CATASTROPHIC } from './catastrophic.ts';

function parsed(source: string): Parameters<typeof isLinear>[0] {
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode: true });
}

async function compiled(source: string): Promise<Test> {
  const found = await compilePattern(source);
  expect(found, source).not.toBeNull();
  return found as Test;
}

describe('a pattern of a contract', () => {
  test.each(CATASTROPHIC)('that backtracks for ever ends at once: %s', async (source, fill, end) => {
    const matches = await compiled(source);
    const started = performance.now();
    expect(matches(`${fill.repeat(100_000)}${end}`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  // what contracts hold in practice
  const harmless: string[] = [
    '^[A-Z]{3}$',
    '^[Bb][Ee][Aa][Rr][Ee][Rr]$',
    String.raw`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|\+00:00)$`,
    String.raw`^-?\d+(\.\d{1,2})?$`,
    '^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$',
    '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$',
    String.raw`^\+?[1-9]\d{1,14}$`,
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    "^[\\p{L}\\s'-]{1,140}$",
    '^.{0,4000}$',
    '^.{1500}$',
    '.{1,5000}',
    '[a-z]+',
    '^(?:GBP|EUR|USD)$',
    '^(?!00)[0-9]{2}$',
    String.raw`^x-\w+(?<!-)$`,
  ];
  test.each(harmless)("that is harmless runs as the engine's own: %s", (source) => {
    expect(isLinear(parsed(source))).toBe(true);
  });

  test('of the own contract runs as the engine’s own, as the generated validators have it', async () => {
    const { document } = await loadContract({ assumed: true });
    const sources = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '""']) => JSON.parse(text) as string,
    );
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !isLinear(parsed(source)))).toEqual([]);
  });

  test('that asks several things of the start of a text is asked one by one', async () => {
    const password = await compiled(String.raw`^(?=.*\d)(?=.*[a-z])(?!.*\s).{8,}$`);
    expect(['abcdefg1', 'abcdefgh', 'ABCDEFG1', 'abcdef 1', 'abc1'].map(password)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('that no engine can match in one pass is refused', async () => {
    const sources = [String.raw`(\w+)\1`, String.raw`^(\w+\s?)+(?<=a.*)$`, '^(a{0,2000}){2}$', '^[A-Z]{3}$', '(['];
    expect([...(await preparePatterns(sources))]).toEqual(sources.slice(0, 3));
  });

  test('in a text of megabytes, where the engine has no more room for its notes, is matched all the same', async () => {
    await preparePatterns(['^(?:[a-z]|[0-9])*$']);
    const text = 'a1'.repeat(5_000_000);
    expect(() => /^(?:[a-z]|[0-9])*$/u.test(text)).toThrow(RangeError);
    expect([text, `${text}!`].map((one) => patternOf('^(?:[a-z]|[0-9])*$').test(one))).toEqual([true, false]);
  });
});

const atom = fc.constantFrom(
  ...['a', 'b', '.', String.raw`\d`, String.raw`\s`, String.raw`\W`, '[ab]', '[^a]', '[^]', '[]', '1', '[a-c1]'],
  ...[
    String.raw`\p{L}`,
    String.raw`\P{Lu}`,
    String.raw`\u{1f600}`,
    String.raw`\u2028`,
    String.raw`[\s\d-]`,
    String.raw`\b`,
  ],
);
const { whole } = fc.letrec<{ whole: string; sequence: string; part: string }>((tie) => ({
  whole: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|')),
  sequence: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc
      .tuple(tie('whole'), fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}', '{0}', '*?'))
      .map(([inner, times]) => `(?:${inner})${times}`),
    fc.tuple(atom, fc.constantFrom('?', '*', '+?', '{2,}')).map(([one, times]) => (one === '\\b' ? one : one + times)),
  ),
}));
const source = fc
  .tuple(fc.constantFrom('', '^', '^(?=a)', '^(?!.*b)'), whole, fc.constantFrom('', '$'))
  .map(([start, inner, end]) => `${start}(?:${inner})${end}`);
// short, since what RE2 is held to is the engine that tries every way to match
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', ' ', '\n', '\u2028', '\u00a0', 'É', '😀', '\ud83d', '\ude00', '-'), {
    maxLength: 6,
  })
  .map((characters) => characters.join(''));

test('what RE2 is given in place of a pattern matches what the pattern matches', async () => {
  await fc.assert(
    fc.asyncProperty(source, fc.array(text, { minLength: 20, maxLength: 20 }), async (pattern, samples) => {
      const native = new RegExp(pattern, 'u');
      const expected = samples.map((sample) => native.test(sample));
      const found = [await compilePattern(pattern), inRe2(parsed(pattern))].filter((matches) => matches !== null);
      expect(found.map((matches) => samples.map(matches))).toEqual(found.map(() => expected));
    }),
    { numRuns: 150 },
  );
});

test('a pattern that is taken for harmless is none that takes long', () => {
  const long = ['a', 'b', '1', ' ', 'ab', 'a1', '-', 'É'].map((fill) => fill.repeat(4_000));
  fc.assert(
    fc.property(source, (pattern) => {
      fc.pre(isLinear(parsed(pattern)));
      const native = new RegExp(pattern, 'u');
      const started = performance.now();
      for (const sample of long) for (const end of ['', '!', 'a']) native.test(sample + end);
      expect(performance.now() - started).toBeLessThan(1_000);
    }),
    { numRuns: 500 },
  );
});
