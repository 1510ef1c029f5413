let lastValue: unknown;
let lastJson = '';

/** The JSON of a value that never changes. A created record is needed twice: it is kept, and the answer shows it. */
export function jsonOf(value: unknown): string {
  if (value !== lastValue) lastJson = JSON.stringify(value);
  lastValue = value;
  return lastJson;
}
