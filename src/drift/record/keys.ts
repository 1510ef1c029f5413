import { isMasked } from './strings.ts';

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
