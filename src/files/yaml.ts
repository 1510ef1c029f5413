import { type ErrorCode, ToolError } from '../errors.ts';
import { parsePointer } from '../pointer.ts';
import type { Position } from './json.ts';

/**
 * The value of a YAML text, null for an empty one. Loads the parser when it is first needed.
 *
 * @param code of the error where it is no YAML
 * @throws ToolError with the line and column; its message quotes nothing of the text, which may hold a secret.
 */
export async function parseYaml(text: string, file: string, code: ErrorCode): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [start] = error.linePos ?? [];
    // What follows the first line shows the text.
    const [message = 'This is no YAML.'] = error.message.split('\n');
    throw new ToolError(code, message.replace(/ at line \d+, column \d+:?$/, '.'), {
      place: { file, ...(start === undefined ? {} : { line: start.line, column: start.col }) },
    });
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new ToolError(code, 'Its aliases cannot be resolved.', { place: { file, line: 1, column: 1 } });
  }
}

/** What of a JSON pointer's node is meant: the key that names it, or its value. */
export type Part = 'key' | 'value';

/**
 * Where the node at a JSON pointer stands in a YAML text; that of the nearest ancestor where there is none.
 * Loads the YAML parser: call it only when there is an error to place.
 */
export async function positionOf(text: string, pointer: string, part: Part = 'value'): Promise<Position> {
  return (await positionsIn(text))(pointer, part);
}

/** {@link positionOf} for many pointers: the text is parsed once. */
export async function positionsIn(text: string): Promise<(pointer: string, part?: Part) => Position> {
  const nodes = await import('yaml');
  const lines = new nodes.LineCounter();
  const document = nodes.parseDocument(text, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false });
  return (pointer, part = 'value') => positionIn({ nodes, lines, document }, pointer, part);
}

/** A text that was parsed, and what tells its nodes apart. */
interface Parsed {
  readonly nodes: typeof import('yaml');
  readonly lines: InstanceType<typeof import('yaml').LineCounter>;
  readonly document: { readonly contents: unknown };
}

function positionIn({ nodes, lines, document }: Parsed, pointer: string, part: Part): Position {
  const { isMap, isPair, isScalar, isSeq } = nodes;
  let node: unknown = document.contents;
  let key: unknown;
  for (const segment of parsePointer(pointer) ?? []) {
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

function rangeOf(node: unknown): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
  return range?.[0];
}
