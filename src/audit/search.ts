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
