/** Types that stand for a range of media types, the key of a content in OpenAPI: springdoc writes it for every answer. */
const STANDING: ReadonlyMap<string, string> = new Map([
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/plain'],
]);

/** The type that the mock sends, and that the judge reads, for a key of a content. @param keys all keys of the content */
export function typeOfKey(key: string, keys: readonly string[]): string {
  const standing = STANDING.get(key) ?? key;
  return keys.includes(standing) ? key : standing;
}

/** Whether a key of a content, perhaps a range, covers a media type. Both are in lower case, without parameters. */
export function covers(key: string, type: string): boolean {
  return key === type || key === '*/*' || (key.endsWith('/*') && type.startsWith(key.slice(0, -1)));
}
