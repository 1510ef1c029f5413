/**
 * Names by which some servers take another method than that of the request line, each `_` as `-`: of header fields, and of parameters of a
 * path, a query or a body.
 */
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override', '-method'];
/** The same in the text of a body. */
const IN_BODY = /(?<![a-z0-9])_method(?![a-z0-9_])|x[-_]http[-_]method|x[-_]method[-_]override/i;
/** Methods that a request names besides the one of its request line, in fields of its header and parameters of its target. */
export function methodsNamed(fields: Iterable<readonly [name: string, value: unknown]>, target: string): string[] {
  const asked = target.split(/[?&;]/).flatMap((pair) => [...new URLSearchParams(pair)]);
  return [...fields, ...asked].flatMap(([name, value]) => {
    // `_method[]` is a list of one
    const plain = name.toLowerCase().replace(/\[.*$/, '').replaceAll('_', '-');
    return OVERRIDES.includes(plain) ? [String(value).trim().toUpperCase()] : [];
  });
}

export function bodyNamesMethod(bytes: Uint8Array): boolean {
  return IN_BODY.test(plainText(bytes));
}

/** Text without the escapes of JSON and of forms; that of UTF-16 without its zeros. */
function plainText(bytes: Uint8Array): string {
  const ofCode = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/\\u00([0-9a-f]{2})/gi, ofCode)
    .replace(/%([0-9a-f]{2})/gi, ofCode);
}
