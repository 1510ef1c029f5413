import { scanJson } from '../files/json.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { MOST_TOLD } from './rule.ts';

/**
 * Pointers of object members that occur more than once, each with its number of repeats: `JSON.parse` silently keeps
 * the last. The text must be valid JSON. Pointers have `*` for list indices and for keys that are ids.
 */
export function duplicateKeys(text: string, isId: (key: string) => boolean): Map<string, number> {
  const found = new Map<string, number>();
  const note = (at: string, _: number, __: number, isTwice: boolean): void => {
    if (!isTwice) return;
    const names = (parsePointer(at) ?? []).map((name) => (/^\d+$/.test(name) || isId(name) ? '*' : name));
    const pointer = joinPointer('', ...names);
    if (found.size < MOST_TOLD || found.has(pointer)) found.set(pointer, (found.get(pointer) ?? 0) + 1);
  };
  scanJson(text, Number.POSITIVE_INFINITY, note, true);
  return found;
}
