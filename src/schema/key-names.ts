import { isMasked } from './string-forms.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const IDENTIFIER = /^[\w$@][\w$@.:-]{0,63}$/;
/** Words of any language. */
const WORDS = /^[\p{ID_Continue}$@][\p{ID_Continue}\p{Join_Control}$@.: -]{0,63}$/u;
const STANDARDS = /(?:iso|sha|rfc|utf|base|md|x|oauth|en|pain|camt|mt)[-_]?\d+/gi;

const IMPOSSIBLE: ReadonlySet<string> = new Set(['__proto__', 'x-provenance']);

/** True for keys that look like values. Words of a language do, as in `Jane Doe`, but they may also be names. */
export function looksLikeId(key: string): boolean {
  return !IDENTIFIER.test(key) || isNeverName(key);
}

/** True for keys that are values. A recording must never contain them. */
export function isNeverName(key: string): boolean {
  if (!WORDS.test(key) || IMPOSSIBLE.has(key) || UUID.test(key) || isMasked(key)) return true;
  if (/.@./.test(key)) return true;
  const rest = key.replace(STANDARDS, '');
  // `17`, `acc-18`, `item:24`, `pocket_31`; not `3ds` or `line_2`
  if (/^\p{Nd}+$/u.test(key) || /[-.:]\p{Nd}+$/u.test(rest) || /[_ ]\p{Nd}{2,}$/u.test(rest)) return true;
  const digits = rest.replace(/\P{Nd}/gu, '').length;
  if (digits >= 4) return true;
  return digits >= 3 && /[-_.: ]/.test(key);
}

/** True for ids, dates and codes with a digit: `P028`, `2026-11-01`; not `line2`. */
export function looksLikeCode(key: string): boolean {
  if (isNeverName(key) || isCurrency(key)) return true;
  const rest = key.replace(STANDARDS, '');
  return /\p{Nd}{2}/u.test(rest) || /^(?=.*\d)[A-Z\d][A-Z\d_.:-]*$/.test(rest);
}

export function isCurrency(key: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has(key);
}
let currencies: ReadonlySet<string> | undefined;

export function areCodes(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => /^[A-Z]{2,3}$/.test(key));
}
