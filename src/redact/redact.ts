import type { HeaderFields } from '../model/exchange.ts';
import type { Json } from '../schema/json.ts';
import { decodingsOf, maskEncoded, replaceAt, unescapedForms } from './encodings.ts';
import { createSecretKeys, isCredentialHeader, tradeKeys } from './keys.ts';
import { createWords, encodingsOf, needleExpression, SHORTEST_SECRET, secretsIn } from './known-secrets.ts';
import { maskNumber, maskString, REDACTED } from './mask.ts';
import { maskLooks, maskPatterns, percentDecoded } from './patterns.ts';

export interface RedactorOptions {
  /** Values that must not leave the process. Values of fewer than 8 characters are masked only by position. */
  readonly secrets?: readonly (string | undefined)[];
  /** User names with passwords: `username:password` and its Base64 forms are also masked. The name alone is not. */
  readonly credentials?: readonly { readonly username: string; readonly password: string }[];
  /** Names whose values are secret, besides those that are secret in every API. */
  readonly names?: readonly string[];
}

/**
 * Masks secrets by position (names of headers, keys, form and query fields) and by value. By value, it finds known
 * secrets in all encodings, bearer and Basic credentials, JWTs, IBANs and card numbers.
 * No method throws, each takes linear time, and redacting twice changes nothing.
 */
export interface Redactor {
  learn(secret: string): void;
  /** Learns card tokens, passwords, answers and account numbers that a JSON body, a form or a query names. */
  learnFrom(value: unknown): void;
  /** Adds names whose values a contract marks as secret (`x-secret`). */
  learnNames(names: Iterable<string>): void;
  text(text: string): string;
  /**
   * A JSON value. A masked string becomes `[redacted:8-15]` (the range of its length), a masked integer 0, a masked
   * fraction 0.5. null, true and false stay.
   */
  json(value: unknown): Json;
  /** A masked header keeps its name; `Authorization` also its scheme. */
  headers(fields: HeaderFields): HeaderFields;
  /** Path and query, or a whole URL. Names of query fields stay. Ids in the path stay unless they are secrets. */
  target(target: string): string;
  fields(fields: Iterable<readonly [name: string, value: string]>): [name: string, value: string][];
}

const DEEPEST = 256;
const MOST_LEARNED = 64;
/** Texts to remember with their masked form, and their longest length. Names and many values of a traffic repeat. */
const MOST_TEXTS = 2000;
const LONGEST_TEXT = 200;
const MOST_PHRASES = 32;
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const fixed = new Set<string>();
  const learned = new Map<string, readonly string[]>();
  const phrases = new Map<string, readonly string[]>();
  /** Masked forms as of the last secret or name that was learned. */
  const memories: Map<string, string>[] = [];
  const words = createWords((secret) => forget(secret.length));
  const text = remembering(cleaned);
  const target = remembering(cleanedTarget);
  /** Undefined if it must be rebuilt. */
  let expression: RegExp | null | undefined;

  const names = new Set(options.names);
  let keys = names.size > 0 ? createSecretKeys(names) : tradeKeys;

  const ofCredentials = (options.credentials ?? []).flatMap(({ username, password }) => [
    password,
    `${username}:${password}`,
  ]);
  const given = [...(options.secrets ?? []), ...ofCredentials].filter((secret) => secret !== undefined);
  for (const secret of given) addTo(fixed, secret);

  function learn(secret: string): void {
    // the patterns find a JWT by its form
    if (secret.length < SHORTEST_SECRET || learned.has(secret) || JWT.test(secret)) return;
    keep(secret, learned, MOST_LEARNED);
  }

  function keep(secret: string, where: Map<string, readonly string[]>, most: number): void {
    const [oldest] = where.keys();
    if (where.size >= most && oldest !== undefined) where.delete(oldest);
    where.set(secret, encodingsOf(secret));
    expression = undefined;
    forget();
  }

  /** @param shortest length of a new secret: a shorter text cannot contain it, in any encoding. Default: forget all. */
  function forget(shortest?: number): void {
    for (const memory of memories) {
      if (shortest === undefined) memory.clear();
      else for (const before of memory.keys()) if (before.length >= shortest) memory.delete(before);
    }
  }

  function remembering(mask: (value: string) => string): (value: string) => string {
    const memory = new Map<string, string>();
    memories.push(memory);
    return (value) => {
      const before = memory.get(value);
      if (before !== undefined || value === '') return before ?? value;
      const clean = mask(value);
      if (memory.size >= MOST_TEXTS) memory.clear();
      if (value.length <= LONGEST_TEXT) memory.set(value, clean);
      return clean;
    };
  }

  function learnFrom(value: unknown): void {
    for (const secret of secretsIn(value, keys)) {
      if (words.learn(secret) || secret.length < SHORTEST_SECRET) continue;
      if (!phrases.has(secret) && maskLooks(secret) === secret) keep(secret, phrases, MOST_PHRASES);
    }
  }

  function needles(): RegExp | null {
    expression ??= needleExpression([...fixed, ...[...learned.values(), ...phrases.values()].flat()]);
    return expression;
  }

  /** Masks known secrets, also with escaped characters. */
  function known(text: string): string {
    const plain = needles();
    let out = words.mask(plain === null ? text : text.replace(plain, REDACTED));
    for (const decoded of decodingsOf(out)) {
      const places = placesOf(decoded.text);
      if (places.length > 0) out = replaceAt(out, decoded, places, REDACTED);
      if (places.length > 0) return known(out);
    }
    return out;
  }

  function placesOf(text: string): (readonly [start: number, end: number])[] {
    const plain = needles();
    const matches = plain === null ? [] : [...text.matchAll(plain)];
    const phrased = matches.map(({ 0: match, index }) => [index, index + match.length] as const);
    return [...phrased, ...words.find(text)].sort(([a], [b]) => a - b);
  }

  function hidden(text: string): string {
    if (!text.includes('%')) return text;
    return text.replace(/[^\s"'<>&=?;,#]+/g, (run) => {
      if (!run.includes('%')) return run;
      const decoded = percentDecoded(run);
      return maskLooks(known(decoded)) === decoded ? run : REDACTED;
    });
  }

  /** For decoded text, which may be encoded more than once. */
  const holdsSecret =
    (depth: number) =>
    (decoded: string): boolean =>
      maskPatterns(known(decoded), keys) !== decoded ||
      (depth > 0 && maskEncoded(decoded, holdsSecret(depth - 1)) !== decoded);

  /** If a secret appears only after unescaping, the unescaped text is used. */
  function unescaped(value: string): string {
    for (const decoded of unescapedForms(value)) {
      const clean = maskPatterns(decoded, keys);
      if (clean !== decoded) return clean;
    }
    return value;
  }

  function cleaned(value: string): string {
    try {
      return maskEncoded(unescaped(maskPatterns(hidden(known(value)), keys)), holdsSecret(2));
    } catch {
      return REDACTED;
    }
  }

  function part(raw: string): string {
    const decoded = percentDecoded(raw.replaceAll('+', ' '));
    const direct = percentDecoded(raw);
    return text(decoded) === decoded && text(direct) === direct ? text(raw) : maskString(decoded);
  }

  function cleanedTarget(value: string): string {
    try {
      // Before the split: a secret may contain the delimiters.
      const [beforeFragment = '', ...fragment] = known(value).split('#');
      const cut = beforeFragment.indexOf('?');
      const path = cut < 0 ? beforeFragment : beforeFragment.slice(0, cut);
      const query = cut < 0 ? undefined : beforeFragment.slice(cut + 1);
      const cleanPath = maskPatterns(path, keys).split('/').map(part).join('/');
      const clean = query === undefined ? cleanPath : `${cleanPath}?${query.split('&').map(queryField).join('&')}`;
      return fragment.length === 0 ? clean : `${clean}#${fragment.join('#').split('&').map(queryField).join('&')}`;
    } catch {
      return REDACTED;
    }
  }

  function queryField(field: string): string {
    const cut = field.indexOf('=');
    if (cut < 0) return part(field);
    const name = field.slice(0, cut);
    const value = field.slice(cut + 1);
    return keys.isSensitive(percentDecoded(name))
      ? `${part(name)}=${maskString(value)}`
      : `${part(name)}=${part(value)}`;
  }

  function headerValue(name: string, value: string): string {
    if (isCredentialHeader(name)) {
      const [, scheme, rest] = /^\s*(bearer|basic|digest|negotiate)\s+(.+)$/is.exec(value) ?? [];
      return scheme === undefined || rest === undefined ? maskString(value) : `${scheme} ${maskString(rest)}`;
    }
    if (keys.isSensitive(name)) return maskString(value);
    return /^(?:location|content-location|referer|origin)$/i.test(name) ? target(value) : text(value);
  }

  function json(value: unknown, masked: boolean, depth: number): Json {
    switch (typeof value) {
      case 'string':
        return masked ? maskString(value) : text(value);
      case 'number':
        if (masked) return maskNumber(value);
        // 1e400 is valid JSON
        return Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE;
      case 'boolean':
        return value;
      case 'object':
        return value === null ? null : compound(value, masked, depth);
      default:
        return null;
    }
  }

  function compound(value: object, masked: boolean, depth: number): Json {
    if (depth >= DEEPEST) return '[too deep]';
    if (Array.isArray(value)) return value.map((item) => json(item, masked, depth + 1));
    const taken = new Set<string>();
    const clean = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [unique(text(key), taken), json(item, masked || keys.isSensitive(key), depth + 1)]);
    return Object.fromEntries(clean);
  }

  return {
    learn,
    learnFrom,
    learnNames(added) {
      const before = names.size;
      for (const name of added) names.add(name);
      if (names.size === before) return;
      keys = createSecretKeys(names);
      forget();
    },
    text,
    json: (value) => json(value, false, 0),
    headers: (fields) => fields.map(([name, value]) => [text(name), headerValue(name, value)] as const),
    target,
    fields: (fields) =>
      [...fields].map(([name, value]) => [text(name), keys.isSensitive(name) ? maskString(value) : text(value)]),
  };
}

function addTo(needles: Set<string>, secret: string): void {
  if (secret.length < SHORTEST_SECRET) return;
  for (const form of encodingsOf(secret)) needles.add(form);
}

/** Two keys with the same mask stay distinct. */
function unique(key: string, taken: Set<string>): string {
  let candidate = key;
  for (let count = 2; taken.has(candidate); count++) candidate = `${key}~${count}`;
  taken.add(candidate);
  return candidate;
}
