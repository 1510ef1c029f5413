import type { SecretKeys } from './keys.ts';
import { REDACTED } from './mask.ts';

/** Above any answer of the API. Values beyond these limits are masked only by position. */
const DEEPEST = 64;
const MOST_NODES = 20_000;
const LONGEST = 512;

const ACCOUNT_LIKE = /^\d{8,19}$/;
const TIME_LIKE = /^(?:(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|1[5-9]\d{11})$/;
const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * Secrets that a JSON body names and that may reappear without a name: card tokens, passwords, account numbers.
 * Keys that look like account numbers are included. Values that could be an ordinary word or number are not.
 */
export function* secretsIn(value: unknown, keys: SecretKeys): Iterable<string> {
  const waiting: { readonly value: unknown; readonly telling: boolean; readonly depth: number }[] = [
    { value, telling: false, depth: 0 },
  ];
  for (let nodes = 0; nodes < MOST_NODES; nodes += 1) {
    const next = waiting.pop();
    if (next === undefined) return;
    const { telling, depth } = next;
    if (telling && isSecretValue(next.value)) yield String(next.value);
    if (typeof next.value !== 'object' || next.value === null || depth >= DEEPEST) continue;
    if (Array.isArray(next.value)) {
      for (const item of next.value) waiting.push({ value: item, telling, depth: depth + 1 });
      continue;
    }
    for (const [key, item] of Object.entries(next.value)) {
      if (ACCOUNT_LIKE.test(key) && !TIME_LIKE.test(key)) yield key;
      waiting.push({ value: item, telling: keys.isTelling(key), depth: depth + 1 });
    }
  }
}

function isSecretValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && ACCOUNT_LIKE.test(String(value));
  if (typeof value !== 'string' || value.length > LONGEST) return false;
  return /\d/.test(value) && !DATE.test(value) && !value.startsWith('[redacted');
}

/** Shorter secrets are masked only by position: by value they would damage ordinary words. */
export const SHORTEST_SECRET = 8;

/** A longer needle makes the expression slow (tens of milliseconds per text), so only its beginning is searched. */
const LONGEST_NEEDLE = 256;
const END = '\\s"\'<>&,;)';
const ONE_PIECE = new RegExp(`^[^${END}]+$`);

export function encodingsOf(secret: string): string[] {
  // long enough for the beginning of each form
  return formsOf(ONE_PIECE.test(secret) ? secret.slice(0, 2 * LONGEST_NEEDLE) : secret);
}

function formsOf(secret: string): string[] {
  const found = new Set<string>();
  const add = (text: string): void => {
    if (text.length >= SHORTEST_SECRET) found.add(text);
  };
  for (const form of [secret, secret.normalize('NFC')]) {
    add(form);
    for (const misread of misreadings(form)) add(misread);
    for (const escaped of jsonForms(form)) {
      add(escaped);
      // a JSON text inside a JSON string
      add(JSON.stringify(escaped).slice(1, -1));
    }
    for (const escaped of percentForms(form)) add(escaped);
    for (const bytes of [Buffer.from(form, 'utf8'), Buffer.from(form, 'latin1')]) {
      for (const text of base64Forms(bytes)) {
        add(text);
        add(encodeURIComponent(text));
      }
      add(bytes.toString('hex'));
      add(bytes.toString('hex').toUpperCase());
    }
    // a JSON pointer, as in findings
    for (const text of [...found]) if (/[~/]/.test(text)) add(text.replaceAll('~', '~0').replaceAll('/', '~1'));
    add(form.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'));
  }
  return [...found];
}

/** Its UTF-8 read as Latin-1, as in HTTP header fields, or as Windows-1252, a common confusion. */
function misreadings(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)];
}

function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // the escaping of PHP, Python and the HTML-safe writers of Java and Go
  const html = ascii.replace(/[<>&'=/]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [plain, plain.replaceAll('/', '\\/'), ascii, ascii.replaceAll('/', '\\/'), html, html.toUpperCase()];
}

function percentForms(text: string): string[] {
  const wellFormed = text.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  const forms = [component, strict, form, encodeURI(wellFormed)];
  const lower = forms.map((each) => each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...forms, ...lower, encodeURIComponent(component)];
}

/** The whole text, and its fixed part inside a longer text, for each of three alignments. */
function base64Forms(bytes: Buffer): string[] {
  const forms = [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const fixed = (encoded: string): string =>
      encoded.slice(Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6));
    const text = shifted.toString('base64');
    forms.push(fixed(text), fixed(text.replaceAll('+', '-').replaceAll('/', '_')));
  }
  return forms;
}

/** One case-insensitive expression for all needles, the longest first; null if there are no needles. */
export function needleExpression(needles: Iterable<string>): RegExp | null {
  const ordered = [...needles].sort((a, b) => b.length - a.length);
  return ordered.length === 0 ? null : new RegExp(ordered.map(expressionFor).join('|'), 'gi');
}

/** A long needle without a delimiter matches by its beginning, up to the next delimiter. */
function expressionFor(needle: string): string {
  if (needle.length <= LONGEST_NEEDLE || !ONE_PIECE.test(needle)) return escapeExpression(needle);
  return `${escapeExpression(needle.slice(0, LONGEST_NEEDLE))}[^${END}]*`;
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

const WORD = /[A-Za-z0-9_-]{8,}/g;
const WHOLE = /^[A-Za-z0-9_-]+$/;
const MOST = 5000;

/**
 * Secrets that are single words, for instance card tokens: looked up word by word, in any number.
 * @param onLearned called when a secret is new
 */
export function createWords(onLearned: (secret: string) => void) {
  const known = new Set<string>();
  const holds = (word: string): boolean => known.has(word.toLowerCase());
  return {
    /** False if it is not a word or too short. Ignores case. */
    learn(secret: string): boolean {
      if (secret.length < SHORTEST_SECRET || !WHOLE.test(secret)) return false;
      const word = secret.toLowerCase();
      if (known.has(word)) return true;
      const [oldest] = known;
      if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
      known.add(word);
      onLearned(secret);
      return true;
    },
    mask(text: string): string {
      if (known.size === 0) return text;
      return text.replace(WORD, (word) => (holds(word) ? REDACTED : word));
    },
    /** Their positions in a text, in order. */
    find(text: string): (readonly [start: number, end: number])[] {
      if (known.size === 0) return [];
      return [...text.matchAll(WORD)]
        .filter(([word]) => holds(word))
        .map(({ 0: word, index }) => [index, index + word.length] as const);
    },
  };
}
