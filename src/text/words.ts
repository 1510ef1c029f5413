/** `one error`, `2 errors`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `a, b and 7 more`. A single remaining one is named. */
export function firstFew(texts: readonly string[], most: number, separator = ', '): string {
  const left = texts.length - most;
  return left > 1 ? `${texts.slice(0, most).join(separator)} and ${left} more` : texts.join(separator);
}

/** By code units, so that the order does not depend on the machine's language. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
