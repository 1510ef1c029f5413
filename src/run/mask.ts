import { encodingsOf } from '../redact/known-secrets.ts';

/** Masking a shorter secret would damage ordinary words. */
const SHORTEST = 4;

/**
 * A masked value keeps its type, length and alphabet, so schema checks give the same result.
 *
 * @param secrets may grow
 */
export function createMask(secrets: ReadonlySet<string>): (text: string) => string {
  const forms = new Map<string, readonly string[]>();
  return (text) => {
    let shown = text;
    for (const secret of secrets) {
      const known = forms.get(secret) ?? formsOf(secret);
      forms.set(secret, known);
      for (const form of known) if (shown.includes(form)) shown = shown.replaceAll(form, cover(form));
    }
    return shown;
  };
}

/** A server may escape or encode a secret. The longest form comes first. */
function formsOf(secret: string): string[] {
  const forms = new Set([secret, ...encodingsOf(secret)].filter(({ length }) => length >= SHORTEST));
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Keeps JSON escapes, which masking would break. */
function cover(text: string): string {
  return text.replace(/\\(?:u[0-9a-f]{4}|.)|\p{L}|\p{N}/giu, (part) => {
    if (part.startsWith('\\')) return part;
    if (/\p{N}/u.test(part)) return '0';
    return /\p{Lu}/u.test(part) ? 'X' : 'x';
  });
}
