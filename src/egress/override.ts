/**
 * Names of header fields, and of parameters in a path, query or body, that some servers use to override the method of
 * the request line. `_method[]` is a list with one item.
 */
const OVERRIDE = /^(?:x[-_]http[-_]method(?:[-_]override)?|x[-_]method[-_]override|[-_]method)(?:\[|$)/i;
/** The same names in the text of a body. */
const IN_BODY = /(?<![a-z0-9])_method(?![a-z0-9_])|x[-_]http[-_]method|x[-_]method[-_]override/i;
/** Methods that header fields or target parameters name in addition to the request line. */
export function methodsNamed(fields: Iterable<readonly [name: string, value: unknown]>, target: string): string[] {
  const [, ...pairs] = target.split(/[?&;]/);
  const asked = pairs.flatMap((pair) => [...new URLSearchParams(pair)]);
  return [...fields, ...asked].flatMap(([name, value]) =>
    OVERRIDE.test(name) ? [String(value).trim().toUpperCase()] : [],
  );
}

export function bodyNamesMethod(bytes: Uint8Array): boolean {
  return IN_BODY.test(plainText(bytes));
}

/** Text without JSON escapes and form escapes, and without the zeros of UTF-16. */
function plainText(bytes: Uint8Array): string {
  const ofCode = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/\\u00([0-9a-f]{2})/gi, ofCode)
    .replace(/%([0-9a-f]{2})/gi, ofCode);
}
