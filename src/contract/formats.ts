/** No address, name or time is longer. Some formats take quadratic time, or too much memory. */
const LONGEST = 8 * 1024;
/** The one format whose texts may be longer. */
const BASE64 = /^[A-Za-z0-9+/\r\n]*={0,2}\s*$/;

interface Formats {
  addFormat(name: string, format: never): unknown;
}

/** Gives Ajv the text formats of ajv-formats, in a form that runs in bounded time. Other formats do not change. */
export function addFormats(ajv: Formats, formats: Readonly<Record<string, unknown>>): void {
  for (const [name, format] of Object.entries(formats)) {
    const { type } = (format ?? {}) as { readonly type?: unknown };
    if (format === true || type === 'number') continue;
    const validate = (text: string): boolean => holdsIn(formats, name, text);
    const rest = typeof format === 'object' && !(format instanceof RegExp) ? format : {};
    ajv.addFormat(name, { ...rest, validate } as never);
  }
}

/**
 * Whether a text matches a format, as in Ajv. Unknown and numeric formats match. Overlong texts do not.
 *
 * @param formats the table of ajv-formats; a parameter, so that it can be loaded on demand
 */
export function holdsIn(formats: Readonly<Record<string, unknown>>, name: string, value: string): boolean {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  const { type, validate = format } = (format ?? {}) as { readonly type?: unknown; readonly validate?: unknown };
  if (type === 'number' || (typeof validate !== 'function' && !(validate instanceof RegExp))) return true;
  if (value.length > LONGEST) return name === 'byte' && BASE64.test(value);
  return validate instanceof RegExp ? validate.test(value) : validate(value) === true;
}
