const MOST = 4;

/** Names for a sentence: the first few, and how many more there are. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST;
  const shown = names.slice(0, more > 1 ? MOST : names.length).join(', ');
  return more > 1 ? `${shown} and ${more} more` : shown;
}
