import { encodingsOf } from '../redact/known-secrets.ts';

/** A shorter secret would eat into ordinary words. */
const SHORTEST = 4;

/**
 * Type, length and alphabet of a masked value stay, so that what a schema says of it is as true as before.
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

/** In what a server says a secret may be escaped or encoded. The longest form first. */
function formsOf(secret: string): string[] {
  const forms = new Set([secret, ...encodingsOf(secret)].filter(({ length }) => length >= SHORTEST));
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Escapes of JSON stay as they are: they would be none otherwise. */
function cover(text: string): string {
  return text.replace(/\\(?:u[0-9a-f]{4}|.)|\p{L}|\p{N}/giu, (part) => {
    if (part.startsWith('\\')) return part;
    if (/\p{N}/u.test(part)) return '0';
    return /\p{Lu}/u.test(part) ? 'X' : 'x';
  });
}
