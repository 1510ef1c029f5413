/** The part of node:crypto that the mock uses. It is synchronous, unlike the platform's own digest. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from './buffer.ts';

type Data = string | Uint8Array;

/** The mock hashes each text in one piece. */
function hashOnce(digestOf: (bytes: Buffer) => Uint8Array) {
  return {
    update: (data: Data) => ({
      digest(encoding?: BufferEncoding): string | Buffer {
        const digest = Buffer.from(digestOf(Buffer.from(data as string)));
        return encoding === undefined ? digest : digest.toString(encoding);
      },
    }),
  };
}

export function createHmac(_algorithm: 'sha256', key: Data) {
  return hashOnce((bytes) => hmac(sha256, Buffer.from(key as string), bytes));
}

export function createHash(_algorithm: 'sha256') {
  return hashOnce(sha256);
}

export function hash(_algorithm: 'sha256', data: Data, encoding: BufferEncoding = 'hex'): string {
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
