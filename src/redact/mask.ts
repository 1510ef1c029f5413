/** Replaces a secret inside a longer text. */
export const REDACTED = '[redacted]';

const MARKER = /^\[redacted:\d+(?:-\d+|\+)\]$/;
const LONGEST_CLASS = 4096;

/** `[redacted:8-15]`: the length class of the string, in powers of two. Empty strings and markers stay. */
export function maskString(text: string): string {
  if (text === '' || MARKER.test(text)) return text;
  return `[redacted:${lengthClass(text.length)}]`;
}

/** `0` for an integer, `0.5` for a fraction: keeps the JSON type, hides the value. */
export function maskNumber(value: number): number {
  return Number.isInteger(value) ? 0 : 0.5;
}

function lengthClass(length: number): string {
  if (length >= LONGEST_CLASS) return `${LONGEST_CLASS}+`;
  const from = 2 ** Math.floor(Math.log2(length));
  return `${from}-${from * 2 - 1}`;
}
