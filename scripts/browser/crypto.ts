/** The part of node:crypto that the mock uses. The platform's own digest is asynchronous, and a token is judged at once: so SHA-256 is here. */
import { Buffer } from './buffer.ts';

const K = new Uint32Array(64);
const START = new Uint32Array(8);
for (let candidate = 2, found = 0; found < 64; candidate += 1) {
  let prime = true;
  for (let factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) prime = false;
  if (!prime) continue;
  // the first 32 bits of the fractional parts of cube and square roots of the primes (FIPS 180-4, 4.2.2 and 5.3.3)
  K[found] = fraction(Math.cbrt(candidate));
  if (found < 8) START[found] = fraction(Math.sqrt(candidate));
  found += 1;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** SHA-256 (FIPS 180-4). */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const state = START.slice();
  const words = new Uint32Array(64);
  const at = (list: Uint32Array, index: number): number => list[index] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(block + index * 4);
    for (let index = 16; index < 64; index += 1) {
      const [early, late] = [at(words, index - 15), at(words, index - 2)];
      const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[index] = at(words, index - 16) + s0 + at(words, index - 7) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let index = 0; index < 64; index += 1) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, index) + at(words, index)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + word;
  }
  const digest = new Uint8Array(32);
  for (const [index, word] of state.entries()) new DataView(digest.buffer).setUint32(index * 4, word);
  return digest;
}

/** HMAC-SHA256 (RFC 2104). */
export function hmac(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = Buffer.concat([block.map((byte) => byte ^ 0x36), bytes]);
  return sha256(Buffer.concat([block.map((byte) => byte ^ 0x5c), sha256(inner)]));
}

interface Digesting {
  update(data: string | Uint8Array): Digesting;
  digest(encoding?: string): string | Buffer;
}

function digesting(finish: (bytes: Uint8Array) => Uint8Array): Digesting {
  const parts: Uint8Array[] = [];
  const self: Digesting = {
    update(data) {
      parts.push(typeof data === 'string' ? Buffer.from(data) : data);
      return self;
    },
    digest(encoding) {
      const bytes = Buffer.from(finish(Buffer.concat(parts)));
      return encoding === undefined ? bytes : bytes.toString(encoding);
    },
  };
  return self;
}

export function createHmac(_algorithm: 'sha256', key: Uint8Array | string): Digesting {
  const bytes = typeof key === 'string' ? Buffer.from(key) : key;
  return digesting((data) => hmac(bytes, data));
}

export function createHash(_algorithm: 'sha256'): Digesting {
  return digesting(sha256);
}

export function hash(_algorithm: 'sha256', data: string | Uint8Array, encoding = 'hex'): string {
  return String(createHash('sha256').update(data).digest(encoding));
}

export function createSecretKey(key: Uint8Array): Uint8Array {
  return key;
}

export function randomBytes(size: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
}

export function randomUUID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}
