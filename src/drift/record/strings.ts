import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isDateTime } from '../../validators/date-time.ts';

/** What a recording can say of the form of a text. The patterns are these few and never made of a value. */
export type StringForm =
  | 'date-time'
  | 'date'
  | 'uuid'
  | 'email'
  | 'uri'
  | 'integer-like'
  | 'decimal'
  | 'local-date-time';

const PATTERNS: Readonly<Partial<Record<StringForm, string>>> = {
  'integer-like': String.raw`^-?\d+$`,
  decimal: String.raw`^-?\d+(\.\d+)?$`,
  'local-date-time': String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$`,
};

/** The strictest first: the first form that held in every sample is the one that is written. */
export const FORMS: readonly StringForm[] = [
  'date-time',
  'date',
  'local-date-time',
  'uuid',
  'email',
  'uri',
  'integer-like',
  'decimal',
];

const byFormat = (name: 'date' | 'uuid' | 'email' | 'uri'): ((text: string) => boolean) => {
  const format: unknown = fullFormats[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => format(text) === true;
  const { validate } = format as { readonly validate: (text: string) => boolean };
  return (text) => validate(text);
};
const byPattern = (form: StringForm): ((text: string) => boolean) => {
  const pattern = new RegExp(PATTERNS[form] ?? '$^', 'u');
  return (text) => pattern.test(text);
};

/** As the judge's validator decides, so that a recording never contradicts what it was made of. */
const HOLDS: Readonly<Record<StringForm, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: byFormat('date'),
  'local-date-time': byPattern('local-date-time'),
  uuid: byFormat('uuid'),
  email: byFormat('email'),
  uri: byFormat('uri'),
  'integer-like': byPattern('integer-like'),
  decimal: byPattern('decimal'),
};

/** Longer texts have no form worth knowing, and some checks take their time with them. */
const LONGEST = 2048;

/** Forms that a text has; none for one that was masked, of which only the type is known. */
export function formsOf(text: string): ReadonlySet<StringForm> {
  if (text === '' || text.length > LONGEST || isMasked(text)) return new Set();
  return new Set(FORMS.filter((form) => HOLDS[form](text)));
}

/** True of what a journal shows in place of a secret, also inside a longer text. */
export function isMasked(text: string): boolean {
  return text.includes('[redacted');
}

/** Texts that look like a number by chance: names, addresses, references. A form of digits is not learned of them. */
const FREE_TEXT =
  /(?:name|alias|label|title|text|description|note|comment|reference|remark|post_?code|zip(?:_?code)?|phone|mobile|fax|city|street|address|line_?\d*)$/i;
/** Fields whose numbers have a fraction sooner or later, also where the samples had none. */
const QUANTITY =
  /(?:amount|balance|fee|fees|price|cost|rate|percent|percentage|total|subtotal|sum|value|limit|quantity|tax|discount|commission|interest|premium|margin|charges?|surcharge|minimum|maximum|min|max|available|spent|weight|score|ratio)$/i;

/** True of a field that holds an amount by its name: it may have a fraction. */
export function isQuantity(field: string): boolean {
  return QUANTITY.test(field);
}

/** The keyword for the form that all texts of a field had; empty where there is none. */
export function formKeyword(
  forms: ReadonlySet<StringForm>,
  field: string,
): { readonly format?: string; readonly pattern?: string } {
  const form = FORMS.find((candidate) => forms.has(candidate));
  if (form === undefined) return {};
  if (form === 'integer-like' || form === 'decimal') {
    if (FREE_TEXT.test(field)) return {};
    const pattern = PATTERNS[isQuantity(field) ? 'decimal' : form];
    return pattern === undefined ? {} : { pattern };
  }
  const pattern = PATTERNS[form];
  return pattern === undefined ? { format: form } : { pattern };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What a field can be called; anything else is a key of a map. */
const NAME = /^[\w$@][\w$@.:-]{0,63}$/;
/** Names with digits in them that are no ids. */
const STANDARDS = /(?:iso|sha|rfc|utf|base|md|x|oauth|en|pain|camt|mt)[-_]?\d+/gi;

/** Names that an overlay cannot hold. */
const IMPOSSIBLE: ReadonlySet<string> = new Set(['__proto__', 'x-provenance']);

/**
 * True of a key that looks like an id, a code or a text rather than like the name of a field: it is a value, and never written into a
 * recording.
 */
export function looksLikeId(key: string): boolean {
  if (!NAME.test(key) || IMPOSSIBLE.has(key) || UUID.test(key) || isMasked(key)) return true;
  if (/.@./.test(key)) return true;
  const rest = key.replace(STANDARDS, '');
  // `17`, `acc-18`, `item:24`, `pocket_31`; not `3ds` or `line_2`
  if (/^\d+$/.test(key) || /[-.:]\d+$/.test(rest) || /_\d{2,}$/.test(rest)) return true;
  const digits = rest.replace(/\D/g, '').length;
  if (digits >= 4) return true;
  return digits >= 3 && /[-_.:]/.test(key);
}

/** True of keys that are all codes of currencies or countries by their looks. */
export function areCodes(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => /^[A-Z]{2,3}$/.test(key));
}
