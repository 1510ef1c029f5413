import type { InvalidCode, Origin } from './tree.ts';

/** The text of a file, of which no more is kept than where its lines begin (offsets, ascending; the first is 0). */
export function originOf(file: string, code: InvalidCode, lineStarts: readonly number[]): Origin {
  return {
    file,
    code,
    locate: (offset) => {
      let low = 0;
      let high = lineStarts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((lineStarts[middle] ?? 0) <= offset) low = middle + 1;
        else high = middle;
      }
      return { line: Math.max(low, 1), column: offset - (lineStarts[low - 1] ?? 0) + 1 };
    },
  };
}
