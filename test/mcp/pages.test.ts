import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPages, MOST_BYTES } from '../../src/mcp/pages.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { plain } from '../../src/text/plain.ts';
import { HOSTILE } from '../report/hostile.ts';

interface Page {
  readonly data: readonly (string | { readonly piece: number; readonly json: string })[];
  readonly page?: string;
}

function read(rows: readonly unknown[], secrets: readonly string[] = []) {
  const pages = createPages(createRedactor({ secrets }));
  const texts = [pages.first('facts', { head: { status: 'known' }, data: rows })];
  for (let token = tokenIn(texts[0]); token !== undefined; token = tokenIn(texts.at(-1))) {
    texts.push(pages.next('facts', token) ?? '');
  }
  const read = texts.flatMap((text) => (JSON.parse(text) as Page).data);
  return { texts, read };
}

function tokenIn(text = '{}'): string | undefined {
  return (JSON.parse(text) as Page).page;
}

test('every page has at most 4 kB, and all pages together have every row', () => {
  const row = fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.constantFrom(...HOSTILE));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const { texts, read: found } = read(rows);
      expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(MOST_BYTES);
      const whole: string[] = [];
      let pieces = '';
      for (const one of found) {
        if (typeof one === 'string') whole.push(one);
        else {
          pieces = one.piece === 1 ? one.json : pieces + one.json;
          const { of } = one as unknown as { readonly of: number };
          if (one.piece === of) whole.push(JSON.parse(pieces) as string);
        }
      }
      const redactor = createRedactor();
      expect(whole).toEqual(rows.map((text) => plain(redactor.text(text))));
    }),
    { numRuns: 25 },
  );
});

test('a secret is masked even if it crosses the end of a page or of a piece', () => {
  const secret = 'correct-horse-battery-staple';
  const rows = Array.from({ length: 400 }, (_, at) => `${'x'.repeat(at)} ${secret}`);
  const { texts } = read([...rows, `${'y'.repeat(990)} ${secret} ${'y'.repeat(9000)}`], [secret]);
  const pieced = texts.flatMap((text) => (JSON.parse(text) as Page).data).map((one) => JSON.stringify(one));
  expect(texts.join('') + pieced.join('')).not.toContain('battery');
});

test('no answer has a character that hides or reorders text', () => {
  const { texts } = read(HOSTILE.map((text) => ({ [text]: [text] })));
  expect(texts.join('')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
});

test('a page token is valid for its tool and its newest answers only', () => {
  const pages = createPages(createRedactor());
  const answer = { head: {}, data: Array.from({ length: 20 }, () => 'z'.repeat(600)) };
  const token = tokenIn(pages.first('facts', answer)) ?? '';
  expect(pages.next('facts', token)).toBe(pages.next('facts', token));
  expect(pages.next('verify', token)).toBeUndefined();
  expect(pages.next('facts', '1.9999')).toBeUndefined();
  for (let at = 0; at < 8; at += 1) pages.first('verify', answer);
  expect(pages.next('facts', token)).toBeUndefined();
});
