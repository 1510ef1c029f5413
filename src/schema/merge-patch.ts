import { isObject } from './json.ts';

/** A member after a merge patch; undefined if it is removed (RFC 7396, 2). */
export function patched(before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch ?? undefined;
  const own = isObject(before) ? before : {};
  const changed = Object.entries(patch).map(([name, change]) => [name, patched(own[name], change)] as const);
  return { ...own, ...Object.fromEntries(changed) };
}
