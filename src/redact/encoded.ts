import { REDACTED } from './mask.ts';

const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}/g;
const SHORTEST = 20;

/** Replaces Base64 and hexadecimal digits whose text holds a secret. @param holdsSecret of a decoded text */
export function maskEncoded(text: string, holdsSecret: (decoded: string) => boolean): string {
  return maskBase64(maskHex(text, holdsSecret), holdsSecret);
}

const HEX = /(?<![0-9a-f])(?:[0-9a-f]{2}){16,}(?![0-9a-f])/gi;

function maskHex(text: string, holdsSecret: (decoded: string) => boolean): string {
  return text.replace(HEX, (run) => {
    // Most are digests, and no text.
    const bytes = Buffer.from(run, 'hex');
    return bytes.every(isText) && holdsSecret(bytes.toString('utf8')) ? REDACTED : run;
  });
}

function maskBase64(text: string, holdsSecret: (decoded: string) => boolean): string {
  if (text.length < SHORTEST) return text;
  const hides = (run: string): boolean => {
    const decoded = decode(run);
    return decoded !== undefined && holdsSecret(decoded);
  };
  return text.replace(RUN, (run) => {
    if (hides(run)) return REDACTED;
    if (!run.includes('/')) return run;
    // Segments of a path.
    const parts = run.split('/');
    return parts.map((part) => (part.length >= SHORTEST && hides(part) ? REDACTED : part)).join('/');
  });
}

/** The text that is encoded, or undefined where it is none: most runs of letters and digits are just that. */
function decode(run: string): string | undefined {
  for (const byte of Buffer.from(run.slice(0, 16), 'base64')) if (!isText(byte)) return undefined;
  const bytes = Buffer.from(run, 'base64');
  for (const byte of bytes) if (!isText(byte)) return undefined;
  return bytes.toString('utf8');
}

function isText(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
