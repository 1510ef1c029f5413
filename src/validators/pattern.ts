/** A pattern with the flag `u`, as JSON Schema requires, or without it. An invalid one matches every text. */
export function patternIn(source: string): { test(text: string): boolean } {
  for (const flags of ['u', ''])
    try {
      return new RegExp(source, flags);
    } catch {
      // try the next flags
    }
  return { test: () => true };
}
