/** The text of a JSON value. Equal values have the same one, whatever the order of their members. */
export function sortedText(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
