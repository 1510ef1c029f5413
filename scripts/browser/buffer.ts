/** browserify's Buffer with base64url. Its base64 decoder reads base64url, but it cannot write it. */
import { Buffer } from 'buffer/index.js';

const plainFrom = Buffer.from as (source: unknown, encoding?: unknown, length?: number) => Buffer;
const plainText = Buffer.prototype.toString;

Buffer.from = ((source: unknown, encoding?: unknown, length?: number) =>
  plainFrom(source, encoding === 'base64url' ? 'base64' : encoding, length)) as typeof Buffer.from;

Buffer.prototype.toString = function (encoding, start, end) {
  if ((encoding as string) !== 'base64url') return plainText.call(this, encoding, start, end);
  return plainText.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

export { Buffer };
