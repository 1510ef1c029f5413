import { createHash } from 'node:crypto';
import { CURRENCY_DECIMALS } from '../../generated/currencies.ts';

/** Members of RFC 6749 and of a JWT: they are nobody's own names. */
const KEPT: ReadonlySet<string> = new Set([
  'grant_type',
  'client_credentials',
  'client_id',
  'client_secret',
  'access_token',
  'token_type',
  'expires_in',
  'scope',
  'jti',
]);

/** Words of the trade, by which a recording knows what is an amount and what is a free text (docs/record.md): the end of a name stays. */
const TRADE = /(?:amount|balance|percentage|rate|alias|name|phone|reference)$/i;

const SYLLABLES = [
  'ba',
  'dro',
  'fe',
  'gli',
  'hu',
  'ka',
  'lo',
  'mur',
  'ne',
  'pra',
  'qui',
  'sto',
  'tiv',
  'vo',
  'xen',
  'zu',
];

/** Gives every name a nonsense word, always the same one, and finds the way back. */
export class Naming {
  readonly #nonsense = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #kinds: readonly string[];

  /** @param kinds Kinds of records, whose plurals are plurals of what they become. */
  constructor(kinds: readonly string[] = []) {
    this.#kinds = kinds;
    for (const kind of kinds) this.#pair(pluralOf(kind), `${this.of(kind)}s`);
  }

  /** The word in place of a name. */
  of(name: string): string {
    if (name === '' || KEPT.has(name)) return name;
    const known = this.#nonsense.get(name);
    if (known !== undefined) return known;
    for (let salt = 0; ; salt += 1) {
      const word = inTheStyleOf(name, `${name}/${salt}`);
      if (this.#names.has(word) || this.#kinds.includes(word)) continue;
      this.#pair(name, word);
      // what a check calls the area of a tag
      if (/^[A-Z][a-z]/.test(name)) this.#names.set(word.toLowerCase(), name.toLowerCase().replaceAll(' ', '-'));
      return word;
    }
  }

  /** True of a name that stands in the contract. */
  has(name: string): boolean {
    return this.#nonsense.has(name);
  }

  /** Every name of two or more words that was asked for so far. */
  longNames(): readonly string[] {
    return [...this.#nonsense.keys()].filter((name) => /[a-z][A-Z]|[A-Za-z][_-][A-Za-z]/.test(name));
  }

  /** A name of several parts, such as `fees.card`. */
  dotted(names: string): string {
    return names
      .split('.')
      .map((name) => this.of(name))
      .join('.');
  }

  /** A path, its template's parameters included. */
  path(path: string): string {
    return path.replace(/[^/{}]+/g, (name) => this.of(name));
  }

  /** A value: an enum's word, a name of several words, or an id whose prefix is a name; any other is what it was. */
  value(text: string): string {
    if (text.includes('-') && this.has(text)) return this.of(text);
    if (/^[A-Z]{3,}(?:_[A-Z]+)*$/.test(text)) return this.of(text);
    return text.replace(/^[a-z]+(?=-(?:\d{4}$|[0-9a-f]{6,}$|\{))/, (prefix) => this.of(prefix));
  }

  /** JSON data: every key is a name, every text a value. */
  data(value: unknown): unknown {
    if (typeof value === 'string') return this.value(value);
    if (Array.isArray(value)) return value.map((item) => this.data(item));
    if (typeof value !== 'object' || value === null) return value;
    return mapEntries(
      value,
      (name) => this.of(name),
      (item) => this.data(item),
    );
  }

  /** A text in which every nonsense word is the name again. */
  back(text: string): string {
    return text.replace(/[A-Za-z]+/g, (word) => this.#names.get(word) ?? word);
  }

  #pair(name: string, word: string): void {
    this.#nonsense.set(name, word);
    this.#names.set(word, name);
  }
}

/** An object with other keys and values, in the same order. */
export function mapEntries(
  object: object,
  key: (name: string) => string,
  value: (item: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, item]) => [key(name), value(item, name)]));
}

export function pluralOf(kind: string): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** Which currencies there are is nobody's own: another one with as many decimals. */
function currencyLike(code: string, number: number): string {
  const others = Object.keys(CURRENCY_DECIMALS).filter((one) => CURRENCY_DECIMALS[one] === CURRENCY_DECIMALS[code]);
  return others[number % others.length] ?? code;
}

/** Nonsense that is written as the name is: in capitals, with a capital, or small. */
function inTheStyleOf(name: string, seed: string): string {
  const bytes = createHash('sha256').update(seed).digest();
  if (Object.hasOwn(CURRENCY_DECIMALS, name)) return currencyLike(name, bytes.readUInt16BE());
  if (/^[A-Z]{3}$/.test(name)) return String.fromCharCode(...[0, 1, 2].map((index) => 65 + ((bytes[index] ?? 0) % 26)));
  const word = [0, 1, 2, 3].map((index) => SYLLABLES[(bytes[index] ?? 0) % SYLLABLES.length]).join('');
  if (/^[A-Z][A-Z_]*$/.test(name)) return word.toUpperCase();
  const [end = ''] = TRADE.exec(name) ?? [];
  const whole = `${word}${end.charAt(0).toUpperCase()}${end.slice(1)}`;
  return /^[A-Z]/.test(name) ? `${whole.charAt(0).toUpperCase()}${whole.slice(1)}` : whole;
}
