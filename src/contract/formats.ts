/**
 * Whether a text is of a format, as Ajv's formats decide; it is of one that they do not know, or that is one of numbers.
 *
 * @param formats the table of ajv-formats: who needs it early imports it, others load it on need.
 */
export function holdsIn(formats: Readonly<Record<string, unknown>>, name: string, value: string): boolean {
  const format = formats[name];
  if (format instanceof RegExp) return format.test(value);
  const { type, validate = format } = (format ?? {}) as { readonly type?: unknown; readonly validate?: unknown };
  if (validate instanceof RegExp) return validate.test(value);
  return typeof validate !== 'function' || type === 'number' || validate(value) === true;
}
