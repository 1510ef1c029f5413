import { REDACTED } from './mask.ts';

/** A decoded text with the position of each character, and of the end, in the original. */
interface Aligned {
  readonly text: string;
  readonly at: Uint32Array;
}

/** Reads one escape sequence: characters, each with its length in the original; null if it is not an escape. */
type Reader = (sequence: string) => readonly (readonly [character: string, length: number])[] | null;

function align(text: string, escapes: RegExp, read: Reader): Aligned | null {
  const at = new Uint32Array(text.length + 1);
  let out = '';
  let from = 0;
  const plain = (to: number): void => {
    for (let index = from; index < to; index += 1) at[out.length + index - from] = index;
    out += text.slice(from, to);
  };
  for (const match of text.matchAll(escapes)) {
    const characters = read(match[0]);
    if (characters === null) continue;
    plain(match.index);
    let place = match.index;
    for (const [character, length] of characters) {
      for (let unit = 0; unit < character.length; unit += 1) at[out.length + unit] = place;
      out += character;
      place += length;
    }
    from = match.index + match[0].length;
  }
  if (from === 0) return null;
  plain(text.length);
  at[out.length] = text.length;
  return { text: out, at: at.subarray(0, out.length + 1) };
}

const PERCENT = /(?:%[0-9a-f]{2})+/gi;

/** Percent-encoded UTF-8. A run that is not valid UTF-8 stays. */
function percentUtf8(text: string): Aligned | null {
  return align(text, PERCENT, (run) => {
    try {
      return [...decodeURIComponent(run)].map((character) => [character, 3 * Buffer.byteLength(character)] as const);
    } catch {
      return null;
    }
  });
}

/** Legacy percent-encoding: one byte, one character. */
function percentLatin1(text: string): Aligned | null {
  return align(text, PERCENT, (run) =>
    [...Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1')].map((character) => [character, 3] as const),
  );
}

const JSON_ESCAPE = /\\(?:u[0-9a-f]{4}|["\\/])/gi;

/** JSON escapes. Writers differ in the characters that they escape. */
function jsonEscapes(text: string): Aligned | null {
  return align(text, JSON_ESCAPE, (sequence) => {
    const character =
      sequence.length === 2 ? sequence.slice(1) : String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
    return [[character, sequence.length]];
  });
}

const ENTITY = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos|sol|equals|plus|num|quest);/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  equals: '=',
  plus: '+',
  num: '#',
  quest: '?',
};

function entities(text: string): Aligned | null {
  return align(text, ENTITY, (entity) => {
    const name = entity.slice(1, -1).toLowerCase();
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const character = name.startsWith('#') ? (code <= 0x10ffff ? String.fromCodePoint(code) : null) : NAMED[name];
    return character == null ? null : [[character, entity.length]];
  });
}

const DECODINGS: readonly { readonly sign: string; readonly decode: (text: string) => Aligned | null }[] = [
  { sign: '%', decode: percentUtf8 },
  { sign: '%', decode: percentLatin1 },
  { sign: '\\', decode: jsonEscapes },
  { sign: '&', decode: entities },
];

export function* decodingsOf(text: string): Iterable<Aligned> {
  for (const { sign, decode } of DECODINGS) {
    const aligned = text.includes(sign) ? decode(text) : null;
    if (aligned !== null) yield aligned;
  }
}

/** Replaces ranges of the decoded text in the original. The ranges are sorted and do not overlap. */
export function replaceAt(
  text: string,
  { at }: Aligned,
  places: readonly (readonly [start: number, end: number])[],
  by: string,
): string {
  let out = '';
  let from = 0;
  for (const [start, end] of places) {
    const [first, last] = [at[start] ?? 0, at[end] ?? text.length];
    if (first < from) continue;
    out += text.slice(from, first) + by;
    from = last;
  }
  return out + text.slice(from);
}

const PRINTABLE = /\\u00(?:2[13-9a-f]|[346][0-9a-f]|5[0-9abd-f]|7[0-9a-e])/gi;

/** Decoded forms of a text: one without JSON escapes of ASCII, one without HTML entities, if it has any. */
export function* unescapedForms(text: string): Iterable<string> {
  if (text.includes('\\u00')) {
    yield text.replace(PRINTABLE, (sequence) => String.fromCharCode(Number.parseInt(sequence.slice(2), 16)));
  }
  if (text.includes('&#')) yield entities(text)?.text ?? text;
}

const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}/g;
const SHORTEST = 20;

/** Masks Base64 and hexadecimal runs whose decoded text holds a secret. @param holdsSecret checks a decoded text */
export function maskEncoded(text: string, holdsSecret: (decoded: string) => boolean): string {
  return maskBase64(maskHex(text, holdsSecret), holdsSecret);
}

const HEX = /(?<![0-9a-f])(?:[0-9a-f]{2}){16,}(?![0-9a-f])/gi;

function maskHex(text: string, holdsSecret: (decoded: string) => boolean): string {
  return text.replace(HEX, (run) => {
    // Most runs are digests, not text.
    const bytes = Buffer.from(run, 'hex');
    return bytes.every(isText) && holdsSecret(bytes.toString('utf8')) ? REDACTED : run;
  });
}

function maskBase64(text: string, holdsSecret: (decoded: string) => boolean): string {
  if (text.length < SHORTEST) return text;
  const hides = (run: string): boolean => {
    const decoded = decode(run);
    return decoded !== undefined && holdsSecret(decoded);
  };
  return text.replace(RUN, (run) => {
    if (hides(run)) return REDACTED;
    if (!run.includes('/')) return run;
    // Segments of a path.
    const parts = run.split('/');
    return parts.map((part) => (part.length >= SHORTEST && hides(part) ? REDACTED : part)).join('/');
  });
}

/** The decoded text, or undefined: most runs of letters and digits are not Base64. */
function decode(run: string): string | undefined {
  for (const byte of Buffer.from(run.slice(0, 16), 'base64')) if (!isText(byte)) return undefined;
  const bytes = Buffer.from(run, 'base64');
  for (const byte of bytes) if (!isText(byte)) return undefined;
  return bytes.toString('utf8');
}

function isText(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
