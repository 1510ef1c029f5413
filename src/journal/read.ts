import { ToolError } from '../errors.ts';
import { jsonFaultPosition, positionInJson } from '../files/json.ts';
import { type FileKind, FileTooLarge, MIB, openToRead, unreadable } from '../files/read.ts';
import { schemaCheck } from '../files/schema.ts';
import { parseJson } from '../text/decode.ts';
import type { JournalEntry } from './entry.ts';

/**
 * Reads a journal line by line, in the order of the file. Only one line is in memory at a time.
 * Throws `ToolError` `file-missing`, `file-unreadable`, or `journal-invalid` with line and column.
 * `onTorn` is called if the last line is incomplete because of a killed writer or a full disk. The line is left out.
 */
export async function* readJournal(
  file: string,
  { onTorn }: { readonly onTorn?: (line: number) => void } = {},
): AsyncGenerator<JournalEntry> {
  const parse = await entryParser(file);
  let number = 0;
  let held: { readonly line: string; readonly number: number } | undefined;
  let endsWithNewline = true;
  for await (const { line, ended } of linesOf(file)) {
    number += 1;
    endsWithNewline = ended;
    if (held !== undefined) yield parse(held.line, held.number);
    held = line.trim() === '' ? undefined : { line, number };
  }
  if (held === undefined) return;
  // only the last line may be incomplete, so one line is always held back
  if (!endsWithNewline && parseJson(held.line) === undefined) onTorn?.(held.number);
  else yield parse(held.line, held.number);
}

/** A parser for lines of the named journal. It throws `ToolError` `journal-invalid` with line and column. */
export async function entryParser(file: string): Promise<(line: string, number: number) => JournalEntry> {
  const check = await schemaCheck('journal');
  return (line, number) => {
    const invalid = (message: string, column: number, pointer?: string): ToolError =>
      new ToolError('journal-invalid', message, {
        place: { file, line: number, column, ...(pointer ? { pointer } : {}) },
        hint: 'A journal has one exchange per line, as schemas/journal.schema.json describes.',
      });
    const entry = parseJson(line);
    if (entry === undefined) throw invalid('This line is no JSON.', jsonFaultPosition(line).column);
    const version = (entry as { v?: unknown } | null)?.v;
    if (typeof version === 'number' && version !== 1) {
      const { column } = positionInJson(line, '/v');
      throw invalid(`This journal is of version ${version}; this tool reads version 1.`, column, '/v');
    }
    const [problem] = check(entry);
    if (problem === undefined) return entry as JournalEntry;
    throw invalid(problem.message, positionInJson(line, problem.pointer).column, problem.pointer);
  };
}

/** A body is at most 1 MiB. A device may send data without line ends. In characters. */
const LINE: FileKind = { what: 'line', setting: 'journal', most: 64 * MIB, code: 'journal-invalid' };

/** `ended` is false for a last line without a line end. */
interface Line {
  readonly line: string;
  readonly ended: boolean;
}

async function* linesOf(file: string): AsyncGenerator<Line> {
  try {
    const handle = await openToRead(file);
    yield* linesIn(handle.createReadStream({ encoding: 'utf8' }) as AsyncIterable<string>);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * Splits chunks of text into lines. (node:readline loses the errors of its stream.)
 * @throws FileTooLarge if a line is longer than any valid one; errors of the source
 */
export async function* linesIn(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let parts: string[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const [first = '', ...more] = chunk.split('\n');
    parts.push(first);
    held += first.length;
    if (held > LINE.most) throw new FileTooLarge(LINE);
    for (const next of more) {
      yield { line: parts.join(''), ended: true };
      parts = [next];
      held = next.length;
    }
  }
  const last = parts.join('');
  if (last !== '') yield { line: last, ended: false };
}
