/** The few members of Node's Buffer that the mock uses. */
const decoder = new TextDecoder();
const encoder = new TextEncoder();

class SmallBuffer extends Uint8Array {
  static override from(source: string | ArrayLike<number> | Iterable<number>, encoding?: unknown): SmallBuffer {
    const bytes = typeof source === 'string' ? encode(source, encoding) : Uint8Array.from(source as ArrayLike<number>);
    return new SmallBuffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  }

  static alloc(size: number): SmallBuffer {
    return new SmallBuffer(size);
  }

  static byteLength(text: string): number {
    return encoder.encode(text).length;
  }

  static concat(list: readonly Uint8Array[], size = list.reduce((sum, { length }) => sum + length, 0)): SmallBuffer {
    const all = new SmallBuffer(size);
    let at = 0;
    for (const one of list) {
      all.set(one, at);
      at += one.length;
    }
    return all;
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof SmallBuffer;
  }

  override toString(encoding = 'utf8'): string {
    if (encoding === 'base64' || encoding === 'base64url') return toBase64(this, encoding === 'base64url');
    if (encoding === 'hex') return [...this].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return decoder.decode(this);
  }

  // biome-ignore lint/suspicious/noExplicitAny: Node's takes a text or a byte
  override includes(what: any): boolean {
    return typeof what === 'string' ? this.toString().includes(what) : super.includes(what);
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index]);
  }
}

function encode(text: string, encoding: unknown): Uint8Array {
  if (encoding === 'latin1' || encoding === 'binary') return Uint8Array.from(text, (char) => char.charCodeAt(0));
  if (encoding !== 'base64' && encoding !== 'base64url') return encoder.encode(text);
  const plain = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  // Node drops what is left over; atob would refuse it
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
  return Uint8Array.from(atob(whole), (char) => char.charCodeAt(0));
}

function toBase64(bytes: Uint8Array, forUrl: boolean): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  const base64 = btoa(text);
  return forUrl ? base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : base64;
}

export { SmallBuffer as Buffer };
