export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The fields of an `application/x-www-form-urlencoded` body, or what is wrong with it. */
export type Form = { readonly fields: ReadonlyMap<string, string>; readonly repeated: readonly string[] };

/** Decodes one key or value: `+` is a space, escapes are UTF-8. Null for a bad escape. */
export function decodeFormPart(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

/**
 * Parses a form. A field that is sent empty counts as omitted and one that is sent twice is reported (RFC 6749, 3.2).
 * A bad escape gives the name or number of the field in which it stands.
 */
export function parseForm(text: string): Form | { readonly wrong: string } {
  const fields = new Map<string, string>();
  const repeated: string[] = [];
  let number = 0;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    number += 1;
    const cut = pair.indexOf('=');
    const name = decodeFormPart(cut === -1 ? pair : pair.slice(0, cut));
    const value = decodeFormPart(cut === -1 ? '' : pair.slice(cut + 1));
    if (name === null || value === null) return { wrong: `field ${number} of the form has a bad percent-escape` };
    if (fields.has(name)) repeated.push(name);
    else if (value !== '') fields.set(name, value);
  }
  return { fields, repeated };
}
