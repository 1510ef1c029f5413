export function suggest(wrong: string, words: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(wrong.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const word of words) {
    const edits = editDistance(wrong.toLowerCase(), word.toLowerCase());
    if (edits < least) {
      best = word;
      least = edits;
    }
  }
  return best ?? words.find((word) => wrong.length > 2 && word.toLowerCase().startsWith(wrong.toLowerCase()));
}

/** ` Did you mean X?`, or an empty text, to append to a sentence. */
export function didYouMean(wrong: string, words: readonly string[]): string {
  const word = suggest(wrong, words);
  return word === undefined ? '' : ` Did you mean ${word}?`;
}

/** Edit distance of two short words; a swap of neighbours is one edit. Longer input is cut: no flag is that long. */
export function editDistance(left: string, right: string): number {
  const a = left.slice(0, 64);
  const b = right.slice(0, 64);
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
