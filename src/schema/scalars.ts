import { patternExamples } from '../patterns/example.ts';
import { patternOf } from '../patterns/pattern.ts';
import { hasFormat } from '../validators/formats.ts';
import { believableTexts, dayOf, hexOf } from './believable.ts';
import type { Json } from './json.ts';
import type { SchemaFacts } from './schema-facts.ts';
import { isQuantity } from './string-forms.ts';

type Words = ReadonlyMap<string, Json>;

export function bound(words: Words, word: string, otherwise: number): number {
  const value = words.get(word);
  return typeof value === 'number' ? value : otherwise;
}

/** @param at the place of the number; an amount has two decimals */
export function numberFor(words: Words, type: string, chance: number, at = ''): number {
  const [lowest, highest] = [bound(words, 'exclusiveMinimum', -Infinity), bound(words, 'exclusiveMaximum', Infinity)];
  const low = Math.max(bound(words, 'minimum', -Infinity), lowest + 1);
  const high = Math.min(bound(words, 'maximum', Number.MAX_VALUE), highest - 1);
  const step = bound(words, 'multipleOf', 0);
  const least = Math.min(Math.max(1, Math.ceil(low)), Math.floor(high));
  const whole = least + (chance % Math.max(1, Math.min(99, Math.floor(high) - least + 1)));
  if (step > 0) return stepped(whole, step, low);
  if (type === 'number' && Math.ceil(low) > Math.floor(high))
    return (
      (Math.max(bound(words, 'minimum', -Infinity), lowest) + Math.min(bound(words, 'maximum', Infinity), highest)) / 2
    );
  // A fraction shows that the number is not an integer.
  const cents = isQuantity(at) ? 2 + (chance % 97) : 50;
  const exact = (100 * whole + cents) / 100;
  return type === 'number' && exact <= high ? exact : whole;
}

/** A multiple in decimals: three times 0.1 is 0.3. */
function stepped(near: number, step: number, low: number): number {
  const [digits = '', exponent = '0'] = String(step).split('e');
  const places = Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
  const times = Math.max(Math.floor(near / step), Math.ceil(low / step));
  return Number((times * step).toFixed(Math.min(places, 100)));
}

/** A value for a schema of texts or numbers that shows no examples. The more chances, the more values. */
export function scalarFor({ types, values, words }: SchemaFacts, at: string, chance: number): Json {
  if (values !== null) return values[chance % values.length] ?? null;
  const [type = 'string'] = types;
  if (type !== 'string') return numberFor(words, type, chance, at);
  const pattern = words.get('pattern');
  // a text that is cut keeps the part that differs
  const short = hexOf(chance).slice(-bound(words, 'maxLength', 4));
  const own = typeof pattern === 'string' ? patternExamples(pattern, chance) : [short];
  return own.find((text) => satisfiesFacts({ values, words }, text)) ?? textFor(words, at, chance);
}

/** Texts of many forms, tried in turn against a pattern. */
const TEXTS: readonly string[] = [
  ['1', '1.50', 'GBP', 'GB', '2030-01-31T12:00:00', '2030-01', '2030-01-31', 'a', 'A', 'text', 'bearer'],
  ['0000', '000000', '-1', '12:00:00Z', '2030-01-31T12:00:00Z', '2030-01-31T13:00:00+01:00'],
  ['00000000-0000-4000-8000-000000000000', 'GB33BUKB20201555555555', 'someone@example.com', 'https://example.com/'],
  ['Some words, and a mark.', ''],
].flat();

export function textFor(words: Words, at: string, chance: number): string {
  const [first = [...textsFor(words, at, chance)].at(-1)] = fittingTexts(words, at, chance);
  return first ?? '';
}

export function* fittingTexts(words: Words, at: string, chance: number): Generator<string> {
  for (const text of textsFor(words, at, chance)) if (satisfiesFacts({ values: null, words }, text)) yield text;
}

/** Limit of a generated text, in characters. */
const LONGEST = 100_000;

function* textsFor(words: Words, at: string, chance: number): Generator<string> {
  const pattern = words.get('pattern');
  const [hex, day] = [hexOf(chance), dayOf(chance)];
  const named = String(words.get('format'));
  const format = Object.hasOwn(FORMATS, named) ? FORMATS[named]?.(hex, day) : undefined;
  const name = at.split('/').findLast((part) => part !== '' && part !== '*') ?? 'text';
  const plain = `${name} ${hex}`
    .padEnd(Math.min(bound(words, 'minLength', 0), LONGEST), '.')
    .slice(0, bound(words, 'maxLength', Math.max(200, bound(words, 'minLength', 0))));
  yield* believableTexts(at, chance);
  if (typeof pattern === 'string') {
    yield* [plain, '1.50', ...TEXTS];
    if (format !== undefined) yield format;
    yield* patternExamples(pattern, chance);
  }
  if (format !== undefined) yield format;
  yield plain;
}

/** A text per format (JSON Schema 2020-12, Validation 7.3; OpenAPI Format Registry), from 4 hex digits and a day. */
const FORMATS: Readonly<Record<string, (hex: string, day: string) => string>> = {
  'date-time': (_, date) => `2030-01-${date}T12:00:00Z`,
  date: (_, date) => `2030-01-${date}`,
  time: () => '12:00:00Z',
  duration: () => 'P1D',
  uuid: (hex) => `00000000-0000-4000-8000-00000000${hex}`,
  email: (hex) => `someone-${hex}@example.com`,
  uri: (hex) => `https://example.com/${hex}`,
  'uri-reference': (hex) => `/${hex}`,
  'uri-template': (hex) => `https://example.com/${hex}/{id}`,
  url: (hex) => `https://example.com/${hex}`,
  hostname: (hex) => `host-${hex}.example.com`,
  ipv4: () => '192.0.2.1',
  ipv6: (hex) => `2001:db8::${hex}`,
  'json-pointer': (hex) => `/${hex}`,
  'relative-json-pointer': () => '0',
  regex: (hex) => `^${hex}$`,
  byte: (hex) => hex,
};

export function satisfiesFacts({ values, words }: Pick<SchemaFacts, 'values' | 'words'>, value: Json): boolean {
  if (values !== null) return values.includes(value);
  const isWithin = (size: number, low: string, high: string): boolean =>
    size >= bound(words, low, -Infinity) && size <= bound(words, high, Infinity);
  if (typeof value === 'number') {
    const isOnEdge = value === words.get('exclusiveMinimum') || value === words.get('exclusiveMaximum');
    return (
      isWithin(value, 'minimum', 'maximum') && isWithin(value, 'exclusiveMinimum', 'exclusiveMaximum') && !isOnEdge
    );
  }
  if (typeof value !== 'string') return true;
  // lengths count code points (JSON Schema 2020-12, Validation 6.3)
  if (!isWithin([...value].length, 'minLength', 'maxLength')) return false;
  const format = words.get('format');
  const pattern = words.get('pattern');
  if (typeof pattern === 'string' && !patternOf(pattern).test(value)) return false;
  return typeof format !== 'string' || hasFormat(format, value);
}
