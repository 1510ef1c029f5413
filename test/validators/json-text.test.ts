import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonText } from '../../src/cli/commands/validate.ts';
import { createLocator, JsonTextError } from '../../src/files/json.ts';

describe('parseJsonText', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2), (text, indent) => {
        const value = JSON.parse(text);
        expect(parseJsonText(JSON.stringify(value, null, indent))).toEqual(value);
      }),
    );
  });

  it('takes and refuses what JSON.parse does, but for names that stand twice', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'null',
      ' ',
      '\n',
      '"\\u00e9"',
      '"\\x"',
      "'",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const outcome = attempt(() => parseJsonText(text));
        fc.pre(!(outcome.error instanceof JsonTextError && outcome.error.message.includes('twice')));
        const expected = attempt(() => JSON.parse(text));
        expect(outcome.error !== undefined, text).toBe(expected.error !== undefined);
        if (expected.error === undefined) expect(outcome.value).toEqual(expected.value);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['1.0', 1],
    ['1.50e1', 15],
    ['10e-1', 1],
    ['0e-5', 0],
    ['1e400', Number.MAX_VALUE],
    ['-1e400', -Number.MAX_VALUE],
    ['100000.00000000000000000001', 100_000.5],
    ['-7.00000000000000000001', -7.5],
    ['1e-400', 0.5],
  ])('%s counts as %d', (text, value) => {
    expect(parseJsonText(text)).toBe(value);
  });

  it('never crashes: too deep or too long is an error of the text, not of ours', () => {
    expect(() => parseJsonText('['.repeat(100_000))).toThrow(JsonTextError);
    expect(() => parseJsonText(`${'{"a":'.repeat(10_000)}1`)).toThrow(JsonTextError);
    expect(parseJsonText(`"${'x'.repeat(5_000_000)}"`)).toHaveLength(5_000_000);
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(Object.keys(parseJsonText('{"__proto__": {"x": 1}}') as object)).toEqual(['__proto__']);
  });

  it('tells where every value starts', () => {
    const seen: [string, number][] = [];
    parseJsonText('{"a": [1, {"b/c": true}]}', (pointer, offset) => seen.push([pointer, offset]));
    expect(seen).toEqual([
      ['', 0],
      ['/a', 6],
      ['/a/0', 7],
      ['/a/1', 10],
      ['/a/1/b~1c', 18],
    ]);
  });
});

describe('createLocator', () => {
  it('counts lines from 1 over every kind of line break', () => {
    const locate = createLocator('a\nb\r\nc\rd');
    expect([0, 2, 5, 7].map((offset) => locate(offset))).toEqual([1, 2, 3, 4].map((line) => ({ line, column: 1 })));
    expect(locate(8)).toEqual({ line: 4, column: 2 });
  });
});

function attempt(parse: () => unknown): { readonly value?: unknown; readonly error?: unknown } {
  try {
    return { value: parse() };
  } catch (error) {
    return { error };
  }
}
