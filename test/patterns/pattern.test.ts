import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { compilePattern, isFastByItself, type Test } from '../../src/patterns/compile.ts';
import { patternExamples } from '../../src/patterns/example.ts';
import { patternOf, preparePatterns } from '../../src/patterns/pattern.ts';
import { cpuTime } from '../support/growth.ts';
import { CATASTROPHIC } from './catastrophic.ts';

async function compiled(source: string): Promise<Test> {
  const found = await compilePattern(source);
  expect(found, source).toBeTypeOf('function');
  return found as Test;
}

describe('patterns of a contract', () => {
  test.each(CATASTROPHIC)('a pattern with catastrophic backtracking ends at once: %s', async (source, fill, end) => {
    const matches = await compiled(source);
    const started = cpuTime();
    expect(matches(`${fill.repeat(100_000)}${end}`)).toBe(false);
    expect(cpuTime() - started).toBeLessThan(2_000);
  });

  test('the patterns of the packaged contract run in V8, as in the generated validators', async () => {
    const { document } = await loadContract({ assumed: true });
    const sources = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '""']) => JSON.parse(text) as string,
    );
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !isFastByItself(source))).toEqual([]);
  });

  test('lookaheads at the start of a text are matched one by one', async () => {
    const password = await compiled(String.raw`^(?=.*\d)(?=.*[a-z])(?!.*\s).{8,}$`);
    expect(['abcdefg1', 'abcdefgh', 'ABCDEFG1', 'abcdef 1', 'abc1'].map(password)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('a pattern that RE2 does not support is not checked, and every text matches it', async () => {
    const sources = [String.raw`(\w+)\1`, String.raw`^(\w+\s?)+(?<=a.*)$`, '^(a{0,2000}){2}$', '^[A-Z]{3}$', '(['];
    const why = 'not matched in one pass';
    expect([...(await preparePatterns(sources))]).toEqual([
      ...sources.slice(0, 3).map((source) => [source, why]),
      ['([', 'not a regular expression'],
    ]);
    expect(sources.map((source) => patternOf(source).test('-'))).toEqual([true, true, true, false, true]);
  });

  test('a pattern that is legal only without the flag u works', async () => {
    const dashes = await compiled(String.raw`^[\w-.]+\-(a+)+$`);
    expect(['a.b-a', 'a.b_a'].map(dashes)).toEqual([true, false]);
  });

  test("a text of megabytes that overflows V8's stack is matched as well", async () => {
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
// short, because RE2 is compared with an engine that backtracks
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', ' ', '\n', '\u2028', '\u00a0', 'É', '😀', '\ud83d', '\ude00', '-'), {
    maxLength: 6,
  })
  .map((characters) => characters.join(''));

test('RE2 matches the same texts as V8', async () => {
  await fc.assert(
    fc.asyncProperty(source, fc.array(text, { minLength: 20, maxLength: 20 }), async (pattern, samples) => {
      const native = new RegExp(pattern, 'u');
      const expected = samples.map((sample) => native.test(sample));
      // a loop that runs only in RE2
      const inRe2 = await compilePattern(`${pattern}|(?:zz*)*zzz`);
      for (const found of [await compilePattern(pattern), inRe2]) {
        if (typeof found !== 'string') expect(samples.map(found)).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});

test('a pattern that is left to V8 runs in linear time', () => {
  const long = ['a', 'b', '1', ' ', 'ab', 'a1', '-', 'É'].map((fill) => fill.repeat(4_000));
  fc.assert(
    fc.property(source, (pattern) => {
      fc.pre(isFastByItself(pattern));
      const native = new RegExp(pattern, 'u');
      const started = cpuTime();
      for (const sample of long) for (const end of ['', '!', 'a']) native.test(sample + end);
      expect(cpuTime() - started).toBeLessThan(1_000);
    }),
    { numRuns: 500 },
  );
});

describe('examples of a pattern', () => {
  test('match the pattern, for any chance', () => {
    // an example ignores word boundaries, and nothing matches an empty class
    const possible = whole.filter((pattern) => !/\\b|\[\]/.test(pattern));
    fc.assert(
      fc.property(possible, fc.nat(), (pattern, chance) => {
        const expression = new RegExp(`^(?:${pattern})$`, 'u');
        const found = patternExamples(pattern, chance).take(12).toArray();
        expect(found.filter((example) => !expression.test(example))).toEqual([]);
        expect(patternExamples(pattern, chance).take(12).toArray()).toEqual(found);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['[A-C]{2,3}', 'AC AC BC CC ACB ACC BCB CCC ACB'],
    [String.raw`(a|bc)-\1`, 'bc-bc bc-bc a-a bc-bc bc-bc bc-bc'],
    [String.raw`(?<n>a|b)\k<n>`, 'bb bb aa bb bb'],
    ['(?:no|yes)+', 'yes yes no yes yesno yesyes nono yesno yesnoyes'],
    [String.raw`^(?=.*\d)(?:x?[^a-z])$`, 'W W W 9 xW xW xW x9 xW'],
    [String.raw`[\w-.]`, 'm 1 E h m'],
    ['[\u2028é]', 'é é é é é'],
    ['[^ -~]', '\u0000 \u0000 \u0000 \u0000 \u0000'],
    ['((', ''],
  ])('of %s grow by repetitions after four tries of each length', (pattern, expected) => {
    const count = expected.split(' ').length;
    expect(patternExamples(pattern, 0).take(count).toArray().join(' ')).toBe(expected);
  });

  test('end at 64 repetitions beyond the minimum', () => {
    const lengths = patternExamples('a+', 0).map((example) => example.length);
    expect([...lengths].filter((_, index) => index % 4 === 3)).toEqual(Array.from({ length: 65 }, (_, at) => at + 1));
  });
});
