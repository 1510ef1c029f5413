export type WordPart = { readonly literal: string } | { readonly variable: string };

/** Characters without a special meaning between double quotes, even in an interactive shell. */
const HARMLESS = /^[^"$`\\!\p{Cc}\u2028\u2029]*$/u;
const BARE = /^[\w@%+=:,./-]+$/;

export function shellWord(pieces: readonly WordPart[]): string {
  const joined: WordPart[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && 'literal' in last && 'literal' in piece)
      joined[joined.length - 1] = { literal: last.literal + piece.literal };
    else joined.push(piece);
  }
  const [only] = joined;
  if (joined.length === 1 && only !== undefined && 'literal' in only)
    return BARE.test(only.literal) ? only.literal : quoted(only.literal);
  const isHarmless = joined.every((piece) => !('literal' in piece) || HARMLESS.test(piece.literal));
  if (!isHarmless)
    return joined.map((piece) => ('literal' in piece ? quoted(piece.literal) : `"$${piece.variable}"`)).join('');
  return `"${joined.map((piece, index) => inDoubleQuotes(piece, joined[index + 1])).join('')}"`;
}

function inDoubleQuotes(piece: WordPart, next: WordPart | undefined): string {
  if ('literal' in piece) return piece.literal;
  const runsOn = next !== undefined && 'literal' in next && /^\w/.test(next.literal);
  return runsOn ? `\${${piece.variable}}` : `$${piece.variable}`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** In capitals. A single word could collide with a variable of the shell, for instance PATH or USER. */
export function variableNamed(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  const safe = /^[A-Z]/.test(words) ? words : `VALUE_${words}`;
  return safe.includes('_') ? safe : `${safe}_VALUE`;
}
