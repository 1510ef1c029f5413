import { decodePercent } from './decode.ts';

/** JSON Pointer (RFC 6901): escape, join, split. The empty pointer is the whole document. */

/** One reference segment, escaped: `~` becomes `~0`, `/` becomes `~1`. */
export function escapeSegment(segment: string | number): string {
  if (typeof segment === 'number') return String(segment);
  // nearly all need no escape, and the judge joins millions
  if (!segment.includes('~') && !segment.includes('/')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function joinPointer(pointer: string, ...segments: readonly (string | number)[]): string {
  let joined = pointer;
  for (const segment of segments) joined += `/${escapeSegment(segment)}`;
  return joined;
}

export function parsePointer(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  const segments = pointer.slice(1).split('/');
  // Most pointers have no escapes, and a run parses them by the hundred thousand.
  if (!pointer.includes('~')) return segments;
  if (/~(?![01])/.test(pointer)) return null;
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The segments of a reference's fragment (`#/components/…`, percent-encoded); null if it is not a pointer. */
export function parseFragment(fragment: string): string[] | null {
  const pointer = decodePercent(fragment);
  return pointer === undefined ? null : parsePointer(pointer);
}

export function formatFragment(segments: readonly (string | number)[]): string {
  return `#${segments.map((segment) => `/${encodeURI(escapeSegment(segment)).replaceAll('#', '%23')}`).join('')}`;
}

/** Pointer of an internal reference (`#/components/…`); undefined for other text. */
export function pointerOfReference(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  const segments = parseFragment(reference.slice(1));
  return segments ? joinPointer('', ...segments) : undefined;
}

export function ancestors(pointer: string): string[] {
  const cut = pointer.lastIndexOf('/');
  return cut < 0 ? [pointer] : [pointer, ...ancestors(pointer.slice(0, cut))];
}
