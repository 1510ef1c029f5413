/** JSON Pointer (RFC 6901): escape, join, split. The empty pointer is the whole document. */

/** One reference token, escaped: `~` becomes `~0`, `/` becomes `~1`. */
export function escapeToken(token: string | number): string {
  return typeof token === 'number' ? String(token) : token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** `pointer` with the tokens appended, each escaped. */
export function joinPointer(pointer: string, ...tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>((joined, token) => `${joined}/${escapeToken(token)}`, pointer);
}

/** The unescaped tokens of a pointer; null where the text is no pointer. */
export function parsePointer(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The tokens of a reference's fragment (`#/components/…`, percent-encoded); null where it is no pointer. */
export function parseFragment(fragment: string): string[] | null {
  try {
    return parsePointer(decodeURIComponent(fragment));
  } catch {
    return null;
  }
}

/** The fragment that {@link parseFragment} reads back. */
export function formatFragment(tokens: readonly (string | number)[]): string {
  return `#${tokens.map((token) => `/${encodeURI(escapeToken(token)).replaceAll('#', '%23')}`).join('')}`;
}

/** Pointer that an internal reference (`#/components/…`) names; undefined for another text. */
export function pointerOfReference(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  const tokens = parseFragment(reference.slice(1));
  return tokens ? joinPointer('', ...tokens) : undefined;
}
