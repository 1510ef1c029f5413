import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/redact/redact.ts';
import { growth } from '../support/growth.ts';

const SECRET = 'q7/Zk?v=1#pä&Ux<3>"+Wm';
const JWT = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ4IiwiZXhwIjoxfQ.c2lnbmF0dXJl`;

const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const unicode = (text: string): string =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const latin1 = (text: string): string =>
  [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16)}`).join('');
const decimal = (text: string): string => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join('');
const hexadecimal = (text: string): string =>
  [...text].map((sign) => `&#x${sign.codePointAt(0)?.toString(16).toUpperCase()};`).join('');
const named = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
const likeGo = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded but for its slashes': (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
  'percent-encoded where a path needs it': encodeURI,
  'percent-encoded as Latin-1': latin1,
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as Go writes JSON': likeGo,
  'in escapes of JSON alone': unicode,
  'in decimal entities': decimal,
  'in hexadecimal entities': hexadecimal,
  'in named entities': named,
  'in UTF-8 that was read as Latin-1': (text) => Buffer.from(text, 'utf8').toString('latin1'),
  'in UTF-8 that was read as Windows-1252': (text) => new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8')),
  hexadecimal: hex,
  Base64: base64,
  'in Base64 twice': (text) => base64(base64(text)),
  'in Base64 three times': (text) => base64(base64(base64(text))),
};

describe('a secret that the run knows', () => {
  const redactor = createRedactor({ secrets: [SECRET] });
  /** Parts of the secret that no accident puts into a text. */
  const traces = (text: string): string[] =>
    [SECRET, 'Zk?v', 'pä&Ux', '3>"+Wm', 'q7/Z'].filter((part) => text.includes(part));

  test.each(Object.entries(ENCODINGS))('is masked in texts, JSON, header fields and paths, %s', (_, encode) => {
    const written = encode(SECRET);
    // What is left of it once it was masked, and everything that it is made of.
    const hides = (shown: string): void => {
      expect(shown).toContain('[redacted');
      expect(shown).not.toContain(written);
      expect(traces(shown)).toEqual([]);
      expect(shown).not.toContain(written.slice(0, 12));
      expect(shown).not.toContain(written.slice(-12));
    };
    hides(redactor.text(`it said: ${written} and more`));
    hides(JSON.stringify(redactor.json({ [written]: 1 })));
    hides(JSON.stringify(redactor.json({ note: written })));
    for (const place of ['location', 'content-location', 'referer']) {
      const [[, shown] = ['', '']] = redactor.headers([[place, `https://h.example/a/${written}/b?c=d#e`]]);
      hides(shown);
      expect(shown.startsWith('https://h.example/a/')).toBe(true);
    }
    for (const target of [`/a/${written}/b`, `/a?x=${written}&y=1`, `/a#${written}`]) hides(redactor.target(target));
  });

  test('stays masked whichever of its characters are escaped, and how', () => {
    const ways = [(s: string) => s, encodeURIComponent, unicode, decimal, hexadecimal] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...ways),
        fc.array(fc.boolean(), { minLength: 22, maxLength: 22 }),
        (way, escaped) => {
          const written = [...SECRET].map((sign, index) => (escaped[index] === true ? way(sign) : sign)).join('');
          expect(traces(redactor.text(`<${written}>`))).toEqual([]);
          expect(redactor.text(written)).not.toContain(written);
          expect(redactor.target(`/x/${written}`)).not.toContain(written);
        },
      ),
    );
  });

  test('is not found where it does not stand, and masking twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = redactor.text(text);
        expect(redactor.text(once)).toBe(once);
      }),
    );
    for (const plain of ['100 % sure &amp; \\u0041 &#65; %41', 'deadbeef'.repeat(8), '/a%20b?c=%26', 'a & b']) {
      expect(redactor.text(plain)).toBe(plain);
    }
  });
});

describe('a token that nobody knows', () => {
  const redactor = createRedactor();
  test.each([
    'plain',
    'hexadecimal',
    'Base64',
    'in Base64 twice',
    'in escapes of JSON alone',
    'in decimal entities',
    'in hexadecimal entities',
  ])('is known by its looks, %s', (name) => {
    const written = ENCODINGS[name]?.(JWT) ?? '';
    const shown = redactor.text(`a ${written} b`);
    expect(shown).toContain('[redacted');
    expect(shown).not.toContain(written.slice(-20));
  });
});

test('takes linear time whatever is escaped', () => {
  const redactor = createRedactor({ secrets: [SECRET] });
  for (const sign of ['%41', '\\u0041', '&#65;', '&amp;', '6579', 'ZXlK', '%', '\\', '&#']) {
    expect(
      growth((size) => redactor.text(sign.repeat(size)), 10_000),
      sign,
    ).toBeLessThan(2.5);
  }
});
