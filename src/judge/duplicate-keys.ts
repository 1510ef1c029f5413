import { escapeSegment } from '../text/pointer.ts';
import { MOST_TOLD } from './rule.ts';

interface Open {
  /** Keys so far; null of a list. */
  readonly keys: Set<string> | null;
  at: string;
}

/**
 * Pointers of the members that an object of a text has more than once, each with how often: `JSON.parse` keeps the last and tells
 * nobody. The text is JSON that was parsed before. Pointers have `*` for list indices and for keys that are ids.
 */
export function duplicateKeys(text: string, isId: (key: string) => boolean): Map<string, number> {
  const found = new Map<string, number>();
  const around: Open[] = [];
  // A string is a key where a colon follows; the last one is kept until then.
  let start = 0;
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        start = index;
        for (index += 1; text.charCodeAt(index) !== QUOTE && index < text.length; index += 1) {
          if (text.charCodeAt(index) === BACKSLASH) index += 1;
        }
        end = index + 1;
        break;
      case OPENING_BRACE:
        around.push({ keys: new Set(), at: '' });
        break;
      case OPENING_BRACKET:
        around.push({ keys: null, at: '*' });
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        around.pop();
        break;
      case COLON: {
        const open = around.at(-1);
        if (open?.keys == null) break;
        const key = keyOf(text.slice(start, end));
        open.at = isId(key) ? '*' : escapeSegment(key);
        if (!open.keys.has(key)) open.keys.add(key);
        else {
          const pointer = around.map(({ at }) => `/${at}`).join('');
          if (found.size < MOST_TOLD || found.has(pointer)) found.set(pointer, (found.get(pointer) ?? 0) + 1);
        }
        break;
      }
      default:
    }
  }
  return found;
}

/** Two spellings of one key are the same key. */
function keyOf(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

const [QUOTE, COLON, OPENING_BRACKET, BACKSLASH, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  34, 58, 91, 92, 93, 123, 125,
] as const;
