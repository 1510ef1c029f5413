/** Index of the first item whose number is at least `at`; the items are sorted by it. */
export function firstFrom<T>(items: readonly T[], at: number, numberOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberOf(items[middle] as T) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last item whose number is at most `at`; the items are sorted by it. */
export function lastUpTo<T>(items: readonly T[], at: number, numberOf: (item: T) => number): T | undefined {
  let index = firstFrom(items, at, numberOf);
  for (let next = items[index]; next !== undefined && numberOf(next) === at; next = items[index]) index += 1;
  return items[index - 1];
}
