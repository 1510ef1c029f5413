import type { Json } from '../schema/json.ts';

/** Size with references inlined: 40 schemas that each use the next one twice make a trillion. Recursion counts once. */
export function expandedSize(node: Json, targetOf: (reference: string) => Json | undefined): number {
  const known = new Map<string, number>();
  const sizeOf = (value: Json): number => {
    if (typeof value !== 'object' || value === null) return 1;
    let size = 1;
    for (const [key, child] of Object.entries(value) as [string, Json][])
      size += key === '$ref' && typeof child === 'string' ? sizeOfTarget(child) : sizeOf(child);
    return size;
  };
  const sizeOfTarget = (reference: string): number => {
    const before = known.get(reference);
    if (before !== undefined) return before;
    known.set(reference, 0);
    const size = sizeOf(targetOf(reference) ?? null);
    known.set(reference, size);
    return size;
  };
  return sizeOf(node);
}
