import { isMapping, type Tree } from '../document-tree.ts';

export type RecordedHead = NonNullable<ReturnType<typeof recordedHead>>;

export const HEAD_KEY = 'x-recorded';
export const END_KEY = 'x-complete';

/** A truncated recording without its last, incomplete line, so that the rest is valid YAML. */
export function wholeLines(text: string): string {
  const isCut = text.includes(`\n${HEAD_KEY}:`) && !text.includes(`\n${END_KEY}:`);
  return isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
}

export function recordedHead(tree: Tree) {
  const { root } = tree;
  if (!isMapping(root)) return undefined;
  const head = root[HEAD_KEY];
  const mark = tree.mark(root, HEAD_KEY);
  if (!isMapping(head) || mark === undefined) return undefined;
  const { contract, version, operations } = head;
  const names = Array.isArray(operations) ? operations.filter((name) => typeof name === 'string') : [];
  return {
    contract: String(contract ?? ''),
    version: String(version ?? ''),
    operations: names,
    mark,
    // otherwise its last line is missing
    complete: root[END_KEY] === true,
  };
}
