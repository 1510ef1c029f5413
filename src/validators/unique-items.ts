import { sortedText } from '../text/sorted-text.ts';

/** Places of two equal items. In linear time, because Ajv compares each object with each other one. */
export function equalItems(items: readonly unknown[]): readonly [place: number, before: number] | undefined {
  const places = new Map<string, number>();
  for (const [place, item] of items.entries()) {
    const text = sortedText(item);
    const before = places.get(text);
    if (before !== undefined) return [place, before];
    places.set(text, place);
  }
  return undefined;
}
