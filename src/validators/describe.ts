/** Words for a value that say nothing of its content: JSON type and length class. */

const LAYOUT = /^\d{4}-\d\d-\d\d(?:([Tt ])\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** JSON type of a value with the length class of a string or an array: `string(10-99)`, `array(0)`, `integer`, `nothing`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `string(${lengthClass(value.length)})`;
    case 'number':
      if (!Number.isFinite(value)) return 'number that JSON does not have';
      return Number.isInteger(value) ? 'integer' : 'number with a fraction';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `array(${lengthClass(value.length)})` : 'object';
    case 'undefined':
      return 'nothing';
    default:
      return typeof value;
  }
}

/** As {@link describe}, and for what is laid out like a date what is amiss with it as a moment in UTC. */
export function describeDate(value: unknown): string {
  const layout = typeof value === 'string' && value.length < 40 ? LAYOUT.exec(value) : null;
  if (!layout) return describe(value);
  const [, time, offset] = layout;
  if (!time) return 'date without a time';
  if (!offset) return 'date-time without an offset';
  return /^([Zz]|[+-]00(:?00)?)$/.test(offset)
    ? 'date-time that does not exist or is written otherwise'
    : 'date-time with another offset than UTC';
}

/** Exact lengths help to guess a secret, so only the order of magnitude is told. */
function lengthClass(length: number): string {
  if (length === 0) return '0';
  if (length < 10) return '1-9';
  if (length < 100) return '10-99';
  return length < 1000 ? '100-999' : '1000+';
}
