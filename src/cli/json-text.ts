/** JSON as text: a strict parser (RFC 8259) that knows where everything stands. */

import { escapeToken } from '../spec/pointer.ts';

/** Deeper nesting is refused; no document of the API comes near it. */
const MAX_DEPTH = 500;

/** The text is no JSON; `offset` counts UTF-16 units from its start. */
export class JsonTextError extends Error {
  override readonly name: string = 'JsonTextError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Called for every value with the JSON pointer to it and where it starts. */
export type Visit = (pointer: string, offset: number) => void;

/**
 * Parses one JSON text. Unlike `JSON.parse` it refuses a name that an object has twice (readers differ in which one counts) and keeps
 * what a double cannot hold apart from what it can: a number beyond its range becomes the largest one, a fraction too small for it stays one.
 * @throws JsonTextError
 */
export function parseJsonText(text: string, visit?: Visit): unknown {
  const parser = new Parser(text, visit);
  return parser.document();
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class Parser {
  readonly #text: string;
  readonly #visit: Visit | undefined;
  #at = 0;

  constructor(text: string, visit: Visit | undefined) {
    this.#text = text;
    this.#visit = visit;
  }

  document(): unknown {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1;
    const value = this.#value('', 0);
    if (this.#at < this.#text.length) throw this.#error('expected the end of the text');
    return value;
  }

  #value(pointer: string, depth: number): unknown {
    this.#skip();
    if (depth > MAX_DEPTH) throw this.#error(`nested deeper than ${MAX_DEPTH} levels`);
    this.#visit?.(pointer, this.#at);
    const value = this.#bare(pointer, depth);
    this.#skip();
    return value;
  }

  #bare(pointer: string, depth: number): unknown {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(pointer, depth);
      case '[':
        return this.#array(pointer, depth);
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #object(pointer: string, depth: number): unknown {
    const entries = new Map<string, unknown>();
    this.#at++;
    this.#skip();
    while (!this.#take('}')) {
      if (entries.size > 0) {
        if (!this.#take(',')) throw this.#error('expected , or }');
        this.#skip();
      }
      const start = this.#at;
      if (this.#text[start] !== '"') throw this.#error('expected a name in double quotes');
      const name = this.#string();
      if (entries.has(name)) throw this.#error('the object has this name twice', start);
      this.#skip();
      if (!this.#take(':')) throw this.#error('expected :');
      entries.set(name, this.#value(this.#visit ? `${pointer}/${escapeToken(name)}` : '', depth + 1));
    }
    // defines own properties, `__proto__` included
    return Object.fromEntries(entries);
  }

  #array(pointer: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    this.#skip();
    while (!this.#take(']')) {
      if (items.length > 0 && !this.#take(',')) throw this.#error('expected , or ]');
      items.push(this.#value(this.#visit ? `${pointer}/${items.length}` : '', depth + 1));
    }
    return items;
  }

  #string(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code < 0x20) throw this.#error('a string holds a line break or a control character', at);
      if (code === 0x5c) at++;
      if (code === 0x22) {
        this.#at = at + 1;
        return this.#unescape(start);
      }
    }
    throw this.#error('a string has no end', start);
  }

  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      throw this.#error('a string holds a wrong escape', start);
    }
  }

  #scalar(): unknown {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const match = this.#match(NUMBER);
    if (!match) throw this.#error(this.#at >= this.#text.length ? 'the text ends too early' : 'expected a value');
    return toNumber(match[0]);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at += match[0].length;
    return match;
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #error(message: string, offset: number = this.#at): JsonTextError {
    return new JsonTextError(message, offset);
  }
}

function toNumber(literal: string): number {
  const value = Number(literal);
  if (!Number.isFinite(value)) return Math.sign(value) * Number.MAX_VALUE;
  // 100000.00000000000001 is no integer, though the nearest double is one
  return Number.isInteger(value) && hasFraction(literal) && Math.abs(value) < 2 ** 51
    ? value + Math.sign(value || 1) * 0.5
    : value;
}

/** Whether a number, taken exactly, is no integer. */
function hasFraction(literal: string): boolean {
  const [digits = '', exponent = '0'] = literal.toLowerCase().split('e');
  const fraction = digits.split('.')[1] ?? '';
  const significant = fraction.replace(/0+$/, '').length;
  if (significant > 0) return significant > Number(exponent);
  const whole = digits.replace('-', '').split('.')[0] ?? '';
  const zeros = whole.length - whole.replace(/0+$/, '').length;
  return Number(exponent) < -zeros && !/^0+$/.test(whole);
}

/** Says line and column, both from 1, of an offset; a column counts UTF-16 units. */
export function createLocator(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  // behind a byte order mark the first line starts one further
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
