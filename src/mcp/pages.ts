import type { Redactor } from '../redact/redact.ts';
import { isObject, type Json } from '../schema/json.ts';
import { plain } from '../text/plain.ts';

export interface Answer {
  /** Words and numbers of this program only. */
  readonly head: Readonly<Record<string, Json>>;
  /** May contain text of a target, a recording or another file. */
  readonly data: readonly unknown[];
  readonly isError?: boolean;
}

/** Bytes of one answer. */
export const MOST_BYTES = 4096;
const LONGEST_ROW = 3300;
const PIECE = 1000;
/** Answers whose further pages can be read. */
const MOST_KEPT = 8;

interface Kept {
  readonly tool: string;
  readonly rows: readonly string[];
}

/** Writes answers as JSON in pages. All data is redacted, without characters that hide or reorder text. */
export function createPages(redactor: Redactor) {
  const kept = new Map<number, Kept>();
  let last = 0;

  function first(tool: string, { head, data }: Answer): string {
    const rows = data.flatMap((row) => piecesOf(JSON.stringify(harmless(redactor.json(row)))));
    last += 1;
    kept.set(last, { tool, rows });
    kept.delete(last - MOST_KEPT);
    return page(head, last, rows, 0);
  }

  /** Undefined if the tool gave no such token, or too long ago. */
  function next(tool: string, token: string): string | undefined {
    const [id, start] = token.split('.').map(Number);
    const found = kept.get(id ?? 0);
    if (found?.tool !== tool || !start || start >= found.rows.length) return undefined;
    return page({}, id ?? 0, found.rows, start);
  }

  function page(head: Answer['head'], id: number, rows: readonly string[], start: number): string {
    const write = (end: number): string => {
      const token = end < rows.length ? `,"page":"${id}.${end}"` : '';
      const fields = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`);
      return `{${fields.join('')}"data":[${rows.slice(start, end).join(',')}]${token}}`;
    };
    let end = start;
    while (end < rows.length && Buffer.byteLength(write(end + 1)) <= MOST_BYTES) end += 1;
    return write(end);
  }

  return { first, next };
}

/** A row that is too long for a page becomes several. Their texts together are its JSON. */
function piecesOf(row: string): string[] {
  if (Buffer.byteLength(row) <= LONGEST_ROW) return [row];
  const texts = Array.from({ length: Math.ceil(row.length / PIECE) }, (_, at) =>
    row.slice(at * PIECE, (at + 1) * PIECE),
  );
  return texts.map((json, at) => JSON.stringify({ piece: at + 1, of: texts.length, json }));
}

function harmless(value: Json): Json {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(harmless);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [plain(key), harmless(member as Json)]));
}
