import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocator, JsonTextError, scanJson } from '../../src/files/json.ts';

describe('scanJson', () => {
  it('scanJson accepts the same texts as JSON.parse, except duplicate names', () => {
    const piece = fc.constantFrom(...'{ } [ ] , : "a" "b" 1 - 0 .5 e3 true null \n "\\u00e9" "\\x" \''.split(' '), ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const error = errorOf(() => scan(text));
        fc.pre(!(error instanceof JsonTextError && error.message.includes('twice')));
        expect(error !== undefined, text).toBe(errorOf(() => JSON.parse(text)) !== undefined);
      }),
      { numRuns: 5000 },
    );
  });

  it('scanJson never crashes: too deep or too long is an error of the text', () => {
    expect(() => scan('['.repeat(100_000))).toThrow(JsonTextError);
    expect(() => scan(`${'{"a":'.repeat(10_000)}1`)).toThrow(JsonTextError);
    scan(`"${'x'.repeat(5_000_000)}"`);
  });

  it('scanJson gives the start of every value', () => {
    const seen: [string, number][] = [];
    scanJson('{"a": [1, {"b/c": true}]}', 500, (pointer, offset) => seen.push([pointer, offset]));
    expect(seen).toEqual([
      ['', 0],
      ['/a', 6],
      ['/a/0', 7],
      ['/a/1', 10],
      ['/a/1/b~1c', 18],
    ]);
  });
});

it('createLocator counts lines from 1 for every kind of line break', () => {
  const locate = createLocator('a\nb\r\nc\rd');
  expect([0, 2, 5, 7].map((offset) => locate(offset))).toEqual([1, 2, 3, 4].map((line) => ({ line, column: 1 })));
  expect(locate(8)).toEqual({ line: 4, column: 2 });
});

function scan(text: string): void {
  scanJson(text, 500);
}

function errorOf(parse: () => unknown): unknown {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error;
  }
}
