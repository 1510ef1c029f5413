export function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}
