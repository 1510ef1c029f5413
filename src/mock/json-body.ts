/** What is wrong with a JSON text, and where. `line` and `column` count from 1, `offset` (in UTF-16 units) from 0. */
export interface JsonFault {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type JsonBody = { readonly value: unknown } | { readonly fault: JsonFault };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a request body as JSON (RFC 8259), strictly: UTF-8 without a byte order mark, no duplicate keys, at most
 * `maxDepth` levels. The value is built by `JSON.parse`, so `__proto__` is an own property and reaches no prototype.
 */
export function readJson(bytes: Uint8Array, maxDepth: number): JsonBody {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { fault: { message: encodingFault(bytes), ...invalidUtf8At(bytes) } };
  }
  const scanner = new Scanner(text, maxDepth);
  const fault = scanner.scan();
  return fault ? { fault } : { value: JSON.parse(text) };
}

function encodingFault(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return utf16 ? 'the body is UTF-16; JSON is sent as UTF-8' : 'the body is not valid UTF-8';
}

/** Position of the first byte that is no UTF-8: what decodes before it is counted. */
function invalidUtf8At(bytes: Uint8Array): Omit<JsonFault, 'message'> {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // a replacement character may also stand in the text itself; then the position is that of the first of them
  const offset = Math.max(0, lenient.indexOf('\uFFFD'));
  return position(lenient, offset);
}

function position(text: string, offset: number): Omit<JsonFault, 'message'> {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { offset, line, column: offset - before.lastIndexOf('\n') };
}

class Fault extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Walks a JSON text without building anything: the first fault, or undefined. */
class Scanner {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  scan(): JsonFault | undefined {
    try {
      if (this.#text.charCodeAt(0) === 0xfeff) {
        throw new Fault('the body starts with a byte order mark, which JSON must not have (RFC 8259, 8.1)', 0);
      }
      if (/^UTF-16|^\0|^.\0/s.test(this.#text)) throw new Fault('the body is not UTF-8 text', 0);
      this.#space();
      if (this.#at >= this.#text.length) throw new Fault('the body is empty', this.#at);
      this.#value(0);
      this.#space();
      if (this.#at < this.#text.length) throw new Fault('there is something after the JSON value', this.#at);
      return undefined;
    } catch (error) {
      if (error instanceof Fault) return { message: error.message, ...position(this.#text, error.offset) };
      throw error;
    }
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #value(depth: number): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x22) this.#string();
    else if (code === 0x7b) this.#object(depth + 1);
    else if (code === 0x5b) this.#array(depth + 1);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) this.#pattern(NUMBER, 'a number is malformed');
    else this.#pattern(WORD, this.#unexpected());
  }

  #unexpected(): string {
    const char = this.#text[this.#at];
    return char === undefined ? 'the body ends in the middle of a value' : 'a value was expected here';
  }

  #pattern(pattern: RegExp, message: string): void {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) throw new Fault(message, this.#at);
    this.#at = pattern.lastIndex;
  }

  /** A loop, not a pattern: a pattern would need a stack as long as the string. */
  #string(): string {
    const start = this.#at;
    for (let at = start + 1; ; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return this.#text.slice(start, at + 1);
      }
      if (code === 0x5c) at = this.#escape(at);
      else if (Number.isNaN(code)) throw new Fault('a string is not closed', start);
      else if (code < 0x20) throw new Fault('a string holds a raw control character', at);
    }
  }

  /** The offset of the last character of the escape at `at`. */
  #escape(at: number): number {
    const letter = this.#text[at + 1];
    if (letter !== undefined && '"\\/bfnrt'.includes(letter)) return at + 1;
    if (letter === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.slice(at + 2, at + 6))) return at + 5;
    throw new Fault('a string holds a bad escape', at);
  }

  #deep(depth: number): void {
    if (depth > this.#maxDepth) throw new Fault(`more than ${this.#maxDepth} levels of nesting`, this.#at);
  }

  #object(depth: number): void {
    this.#deep(depth);
    this.#at += 1;
    const keys = new Set<string>();
    this.#space();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#space();
      const at = this.#at;
      if (this.#text[at] !== '"')
        throw new Fault(at < this.#text.length ? 'a member name was expected here' : 'an object is not closed', at);
      const raw = this.#string();
      const key = raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1);
      if (keys.has(key)) throw new Fault('an object has the same member twice', at);
      keys.add(key);
      this.#space();
      if (this.#text[this.#at] !== ':') throw new Fault('a colon was expected here', this.#at);
      this.#at += 1;
      this.#space();
      this.#value(depth);
      if (this.#ends('}', 'an object')) return;
    }
  }

  #array(depth: number): void {
    this.#deep(depth);
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] === ']') {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#space();
      this.#value(depth);
      if (this.#ends(']', 'an array')) return;
    }
  }

  /** After a member or item: true at the end of the container, false after a comma. */
  #ends(close: string, what: string): boolean {
    this.#space();
    const char = this.#text[this.#at];
    if (char === undefined) throw new Fault(`${what} is not closed`, this.#at);
    if (char !== close && char !== ',') throw new Fault(`a comma or the end of ${what} was expected here`, this.#at);
    this.#at += 1;
    return char === close;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
