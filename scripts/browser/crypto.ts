/** The part of node:crypto that the mock uses. It is synchronous, unlike the platform's own digest. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from './buffer.ts';

class Digest {
  readonly #hash: ReturnType<typeof sha256.create>;

  constructor(hash: ReturnType<typeof sha256.create>) {
    this.#hash = hash;
  }

  update(data: string | Uint8Array): this {
    this.#hash.update(Buffer.from(data as string));
    return this;
  }

  digest(encoding?: BufferEncoding): string | Buffer {
    const bytes = Buffer.from(this.#hash.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

export function createHmac(_algorithm: 'sha256', key: Uint8Array | string): Digest {
  return new Digest(hmac.create(sha256, Buffer.from(key as string)) as never);
}

export function createHash(_algorithm: 'sha256'): Digest {
  return new Digest(sha256.create());
}

export function hash(_algorithm: 'sha256', data: string | Uint8Array, encoding: BufferEncoding = 'hex'): string {
  return String(createHash('sha256').update(data).digest(encoding));
}

export function createSecretKey(key: Uint8Array): Uint8Array {
  return key;
}

export function randomBytes(size: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
}

export function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}
