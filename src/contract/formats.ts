/** No address, name or time is longer. Some formats take time that grows with the square of a text, or more room than an engine has. */
const LONGEST = 8 * 1024;
/** The one format of texts that may well be longer. */
const BASE64 = /^[A-Za-z0-9+/\r\n]*={0,2}\s*$/;

interface Formats {
  addFormat(name: string, format: never): unknown;
}

/** Gives Ajv the formats of texts of the table of ajv-formats, each so that no text keeps it busy. Its others stay as they are. */
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
 * Whether a text is of a format, as Ajv's formats decide; it is of one that they do not know, or that is one of numbers, and of none where
 * it is longer than such texts are.
 *
 * @param formats the table of ajv-formats: who needs it early imports it, others load it on need.
 */
export function holdsIn(formats: Readonly<Record<string, unknown>>, name: string, value: string): boolean {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  const { type, validate = format } = (format ?? {}) as { readonly type?: unknown; readonly validate?: unknown };
  if (type === 'number' || (typeof validate !== 'function' && !(validate instanceof RegExp))) return true;
  if (value.length > LONGEST) return name === 'byte' && BASE64.test(value);
  return validate instanceof RegExp ? validate.test(value) : validate(value) === true;
}
