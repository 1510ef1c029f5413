/** Line and column, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What of a JSON pointer's node is meant: the key that names it, or its value. */
export type Part = 'key' | 'value';

/**
 * Where the node at a JSON pointer stands in a YAML or JSON text; that of the nearest ancestor where there is none.
 * Loads the YAML parser, so it is for the way of errors.
 */
export async function positionOf(text: string, pointer: string, part: Part = 'value'): Promise<Position> {
  const { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false });
  let node: unknown = document.contents;
  let key: unknown;
  for (const segment of segmentsOf(pointer)) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === segment);
      if (!isPair(pair)) break;
      key = pair.key;
      node = pair.value ?? pair.key;
    } else if (isSeq(node)) {
      key = node.items[Number(segment)];
      node = key;
    } else break;
    if (node === undefined) break;
  }
  const start = rangeOf(part === 'key' ? (key ?? node) : node) ?? rangeOf(key) ?? rangeOf(document.contents) ?? 0;
  const { line, col } = lines.linePos(start);
  return { line, column: col };
}

/** Segments of an RFC 6901 pointer, unescaped. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function rangeOf(node: unknown): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
  return range?.[0];
}

/** Position of an offset in a text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Where `JSON.parse` stopped, by its message; the start of the text where the message does not say. */
export function jsonErrorPosition(text: string, error: unknown): Position {
  const message = error instanceof Error ? error.message : '';
  const [, offset] = /at position (\d+)/.exec(message) ?? [];
  if (offset !== undefined) return positionAt(text, Number(offset));
  return /end of JSON input/.test(message) ? positionAt(text, text.length) : { line: 1, column: 1 };
}
