import { ancestors, joinPointer } from '../text/pointer.ts';

/** Line and column, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A text is not valid JSON; `offset` counts UTF-16 units from its start. */
export class JsonTextError extends Error {
  override readonly name: string = 'JsonTextError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Called for each value, with its JSON pointer, its offset, its key's offset, and whether the key is a duplicate. */
export type Visit = (pointer: string, offset: number, key: number, isTwice: boolean) => void;

export type NodePart = 'key' | 'value';

/**
 * Walks a JSON text (RFC 8259) without building a value. Unlike `JSON.parse`, it finds the first fault, the position
 * of each value, and duplicate names (readers differ in which value they use).
 *
 * @param maxDepth levels of nesting
 * @param mayRepeat whether an object may have a name twice
 * @throws JsonTextError
 */
export function scanJson(text: string, maxDepth: number, visit?: Visit, mayRepeat = false): void {
  new Scanner(text, maxDepth, visit, mayRepeat).document();
}

/**
 * Whether a JSON text surely has no name twice in an object, and no more levels. A scan takes several times as long,
 * and is needed only if this is false.
 *
 * @param value of the text
 */
export function surelyNamesOnce(text: string, value: unknown, levels: number): boolean {
  return membersIn(value, levels) === colonsIn(text);
}

/** Number of members in a value and below. NaN if it has more levels. */
function membersIn(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Number.NaN;
  const inside = Array.isArray(value) ? value : Object.values(value);
  let count = inside === value ? 0 : inside.length;
  for (const one of inside) count += membersIn(one, levels - 1);
  return count;
}

/** At least the number of members written in a JSON text: the colons behind a quotation mark. */
function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 0x20) before -= 1;
    // a date-time in a string also has colons
    if (text.charCodeAt(before) === 0x22) count += 1;
  }
  return count;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

class Scanner {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #visit: Visit | undefined;
  readonly #mayRepeat: boolean;
  #at = 0;

  constructor(text: string, maxDepth: number, visit: Visit | undefined, mayRepeat: boolean) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#visit = visit;
    this.#mayRepeat = mayRepeat;
  }

  document(): void {
    this.#value('', 0);
    if (this.#at < this.#text.length) throw this.#error('expected the end of the text');
  }

  #value(pointer: string, depth: number, key?: number, isTwice = false): void {
    this.#space();
    this.#visit?.(pointer, this.#at, key ?? this.#at, isTwice);
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x22) this.#string();
    else if ((code === 0x7b || code === 0x5b) && depth === this.#maxDepth)
      throw this.#error(`nested deeper than ${this.#maxDepth} levels`);
    else if (code === 0x7b) this.#object(pointer, depth + 1);
    else if (code === 0x5b) this.#array(pointer, depth + 1);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) this.#pattern(NUMBER);
    else this.#pattern(WORD);
    this.#space();
  }

  #object(pointer: string, depth: number): void {
    const names = new Set<string>();
    this.#at += 1;
    this.#space();
    while (!this.#take('}')) {
      if (names.size > 0) {
        if (!this.#take(',')) throw this.#error('expected , or }');
        this.#space();
      }
      const start = this.#at;
      if (this.#text[start] !== '"') throw this.#error('expected a name in double quotes');
      this.#string();
      const raw = this.#text.slice(start + 1, this.#at - 1);
      const name = raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
      const isTwice = names.has(name);
      if (isTwice && !this.#mayRepeat) throw this.#error('the object has this name twice', start);
      names.add(name);
      this.#space();
      if (!this.#take(':')) throw this.#error('expected :');
      this.#value(this.#visit ? joinPointer(pointer, name) : '', depth, start, isTwice);
    }
  }

  #array(pointer: string, depth: number): void {
    this.#at += 1;
    this.#space();
    for (let index = 0; !this.#take(']'); index += 1) {
      if (index > 0 && !this.#take(',')) throw this.#error('expected , or ]');
      this.#value(this.#visit ? joinPointer(pointer, index) : '', depth);
    }
  }

  /** A loop instead of a pattern: a pattern would need a stack as long as the string. */
  #string(): void {
    const start = this.#at;
    for (let at = start + 1; ; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return;
      }
      if (code === 0x5c) at = this.#escape(at);
      else if (Number.isNaN(code)) throw this.#error('a string has no end', start);
      else if (code < 0x20) throw this.#error('a string holds a line break or a control character', at);
    }
  }

  #escape(at: number): number {
    const letter = this.#text[at + 1];
    if (letter !== undefined && '"\\/bfnrt'.includes(letter)) return at + 1;
    if (letter === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.slice(at + 2, at + 6))) return at + 5;
    throw this.#error('a string holds a wrong escape', at);
  }

  #pattern(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text))
      throw this.#error(this.#at >= this.#text.length ? 'the text ends too early' : 'expected a value');
    this.#at = pattern.lastIndex;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #error(message: string, offset: number = this.#at): JsonTextError {
    return new JsonTextError(message, offset);
  }
}

/** Converts offsets to line and column, both from 1. Columns count UTF-16 units. */
export function createLocator(text: string): (offset: number) => Position {
  // after a byte order mark, the first line starts one unit later
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return (offset) => positionAt(starts, offset);
}

/** @param lineStarts offsets in ascending order */
export function positionAt(lineStarts: readonly number[], offset: number): Position {
  let low = 0;
  let high = lineStarts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const line = Math.max(low, 1);
  return { line, column: Math.max(1, offset - (lineStarts[line - 1] ?? 0) + 1) };
}

/** An upper bound for the number of values in a text: characters in strings also count. */
export function countValues(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    // line feed, comma, opening bracket and brace
    if (character === 0x0a || character === 0x2c || character === 0x5b || character === 0x7b) count += 1;
  }
  return count;
}

/** Deepest level that is searched for a position. */
const DEEPEST = 1000;

/** The position of the first fault in a text that `JSON.parse` rejects. V8 does not always report it. */
export function jsonFaultPosition(text: string): Position {
  return createLocator(text)(faultOf(() => scanJson(text, DEEPEST))?.offset ?? 0);
}

/** The position of the value at a pointer in a JSON text, or of its nearest existing ancestor. Builds no value. */
export function positionInJson(text: string, pointer: string): Position {
  return positionsInJson(text, [pointer])(pointer, 'value');
}

export function positionsInJson(
  text: string,
  pointers: readonly string[],
): (pointer: string, part: NodePart) => Position {
  const wanted = new Map<string, Readonly<Record<NodePart, number>> | null>(
    pointers.flatMap(ancestors).map((one) => [one, null]),
  );
  faultOf(() =>
    scanJson(text, DEEPEST, (pointer, value, key) => {
      if (wanted.has(pointer)) wanted.set(pointer, { value, key });
    }),
  );
  const locate = createLocator(text);
  return (pointer, part) => {
    const there = ancestors(pointer).find((one) => wanted.get(one));
    return locate((there !== undefined && wanted.get(there)?.[there === pointer ? part : 'value']) || 0);
  };
}

export function faultOf(scan: () => void): JsonTextError | undefined {
  try {
    scan();
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
  return undefined;
}
