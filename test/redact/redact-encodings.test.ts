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
  'percent-encoded except its slashes': (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
  'percent-encoded as required in a path': encodeURI,
  'percent-encoded as Latin-1': latin1,
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as JSON written by Go': likeGo,
  'in JSON escapes only': unicode,
  'in decimal entities': decimal,
  'in hexadecimal entities': hexadecimal,
  'in named entities': named,
  'as UTF-8 misread as Latin-1': (text) => Buffer.from(text, 'utf8').toString('latin1'),
  'as UTF-8 misread as Windows-1252': (text) => new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8')),
  hexadecimal: hex,
  Base64: base64,
  'in Base64 twice': (text) => base64(base64(text)),
  'in Base64 three times': (text) => base64(base64(base64(text))),
};

describe('a known secret', () => {
  const redactor = createRedactor({ secrets: [SECRET] });
  /** Parts of the secret that never occur by accident. */
  const traces = (text: string): string[] =>
    [SECRET, 'Zk?v', 'pä&Ux', '3>"+Wm', 'q7/Z'].filter((part) => text.includes(part));

  test.each(Object.entries(ENCODINGS))(
    'a known secret is masked in texts, JSON, headers and paths, %s',
    (_, encode) => {
      const written = encode(SECRET);
      // Its remains after masking, and all its parts.
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
    },
  );

  test('a known secret stays masked with any characters escaped in any way', () => {
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

  test('a text that was redacted before its secret was known is masked afterwards, in every encoding', () => {
    const word = 'ctk-7d1f0a92c4e85b3d';
    for (const encode of Object.values(ENCODINGS)) {
      for (const written of [encode(word), `it said: ${encode(word)}`]) {
        const [earlier, fresh] = [createRedactor(), createRedactor()];
        earlier.text(written);
        for (const one of [earlier, fresh]) one.learnFrom({ token: word });
        expect(earlier.text(written)).toBe(fresh.text(written));
        expect(earlier.text(written)).toContain('[redacted]');
      }
    }
  });

  test('other text is not masked, and masking twice changes nothing', () => {
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

describe('an unknown token', () => {
  const redactor = createRedactor();
  test.each([
    'plain',
    'hexadecimal',
    'Base64',
    'in Base64 twice',
    'in JSON escapes only',
    'in decimal entities',
    'in hexadecimal entities',
  ])('an unknown token is recognised by its form, %s', (name) => {
    const written = ENCODINGS[name]?.(JWT) ?? '';
    const shown = redactor.text(`a ${written} b`);
    expect(shown).toContain('[redacted');
    expect(shown).not.toContain(written.slice(-20));
  });
});

test('masking needs linear time for any escapes', () => {
  const redactor = createRedactor({ secrets: [SECRET] });
  for (const sign of ['%41', '\\u0041', '&#65;', '&amp;', '6579', 'ZXlK', '%', '\\', '&#']) {
    expect(
      growth((size) => redactor.text(sign.repeat(size)), 10_000),
      sign,
    ).toBeLessThan(2.5);
  }
});
