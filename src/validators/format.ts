/** No address, name or time is longer. Some formats take quadratic time, or too much memory. */
const LONGEST = 8 * 1024;
/** The one format whose texts may be longer. */
const BASE64 = /^[A-Za-z0-9+/\r\n]*={0,2}\s*$/;

/**
 * Whether a text matches a format, in bounded time. Every text matches unknown and numeric formats.
 *
 * @param formats the table of ajv-formats; a parameter, so that it can be loaded on demand
 */
export function holdsIn(formats: Readonly<Record<string, unknown>>, name: string, text: string): boolean {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  const { type, validate = format } = (format ?? {}) as { readonly type?: unknown; readonly validate?: unknown };
  if (type === 'number' || (typeof validate !== 'function' && !(validate instanceof RegExp))) return true;
  if (text.length > LONGEST) return name === 'byte' && BASE64.test(text);
  return validate instanceof RegExp ? validate.test(text) : validate(text) === true;
}
