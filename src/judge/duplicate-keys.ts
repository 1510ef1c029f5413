import { scanJson, surelyNamesOnce } from '../files/json.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { MOST_TOLD } from './rule.ts';

/** Levels below which every text is scanned. */
const LEVELS = 100;

/**
 * Pointers of object members that occur more than once, each with its number of repeats: `JSON.parse` silently keeps
 * the last. Pointers have `*` for list indices and for keys that are ids.
 *
 * @param value of the text
 */
export function duplicateKeys(text: string, value: unknown, isId: (key: string) => boolean): Map<string, number> {
  const found = new Map<string, number>();
  if (surelyNamesOnce(text, value, LEVELS)) return found;
  const note = (at: string, _: number, __: number, isTwice: boolean): void => {
    if (!isTwice) return;
    const names = (parsePointer(at) ?? []).map((name) => (/^\d+$/.test(name) || isId(name) ? '*' : name));
    const pointer = joinPointer('', ...names);
    if (found.size < MOST_TOLD || found.has(pointer)) found.set(pointer, (found.get(pointer) ?? 0) + 1);
  };
  scanJson(text, Number.POSITIVE_INFINITY, note, true);
  return found;
}
