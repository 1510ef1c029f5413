import { type Place, ToolError } from '../errors.ts';
import type { NodePart } from '../files/json.ts';
import { type FileKind, readTextFile } from '../files/read.ts';
import { type FileProblem, type PublishedSchema, schemaCheck } from '../files/schema.ts';
import { didYouMean } from '../text/suggest.ts';
import { parseYaml } from './yaml.ts';

export interface CheckedFile<T> {
  readonly value: T;
  placeOf(pointer: string, part?: NodePart): Promise<Place>;
}

/** Reads YAML or JSON; an empty file is an empty object. @throws ToolError with the code of its kind, or of reading */
export async function readPlaced(file: string, kind: FileKind): Promise<CheckedFile<unknown>> {
  const { value, placeOf } = await parsePlaced(await readTextFile(file, kind), file, kind.code);
  return { value: value ?? {}, placeOf };
}

/** Parses YAML or JSON; an empty text is null. `file` is for messages. */
export async function parsePlaced(text: string, file: string, code: FileKind['code']): Promise<CheckedFile<unknown>> {
  const { value, positionsOf } = await parseYaml(text, file, code);
  let asked: string[] = [];
  let positions: Promise<ReturnType<typeof positionsOf>> | undefined;
  return {
    value,
    placeOf: async (pointer, part = 'value') => {
      asked.push(pointer);
      positions ??= Promise.resolve().then(() => {
        const all = asked;
        [asked, positions] = [[], undefined];
        return positionsOf(all);
      });
      return { file, ...(await positions)(pointer, part), ...(pointer === '' ? {} : { pointer }) };
    },
  };
}

/**
 * Reads YAML or JSON and validates it by a published schema, if there is one.
 * @throws ToolError with the code of its kind, file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readChecked<T>(
  file: string,
  schema: PublishedSchema | null,
  kind: FileKind,
): Promise<CheckedFile<T>> {
  const { value, placeOf } = await readPlaced(file, kind);
  if (schema !== null) await refuseWrong(value, schema, kind.code, placeOf);
  return { value: value as T, placeOf };
}

/** Summary errors of Ajv, beside the actual problem: a failed alternative or branch of a condition. */
const SUMMARY =
  /must match (?:a schema in anyOf|exactly one schema|"(?:then|else)" schema)|property name must be valid/;

export async function schemaProblems(
  value: unknown,
  schema: PublishedSchema,
): Promise<
  readonly { readonly pointer: string; readonly message: string; readonly hint?: string; readonly part?: 'key' }[]
> {
  return (await problemsIn(value, schema)).map((problem) => {
    const { pointer, unknownKey } = problem;
    const message = messageOf(problem);
    return unknownKey ? { pointer, message, hint: nearestOf(unknownKey), part: 'key' } : { pointer, message };
  });
}

async function problemsIn(value: unknown, schema: PublishedSchema): Promise<readonly FileProblem[]> {
  const found = (await schemaCheck(schema))(value);
  return found.filter(({ message }) => found.length === 1 || !SUMMARY.test(message));
}

function messageOf({ message }: FileProblem): string {
  return /boolean schema is false/.test(message) ? 'It does not belong here.' : message;
}

export async function refuseWrong(
  value: unknown,
  schema: PublishedSchema,
  code: FileKind['code'],
  placeOf: CheckedFile<unknown>['placeOf'],
): Promise<void> {
  // a misspelled key explains a missing one
  const isMissing = ({ message }: FileProblem): number => Number(message.includes('must have required property'));
  const problems = (await problemsIn(value, schema)).toSorted((a, b) => isMissing(a) - isMissing(b));
  await refuseFirst(problems, code, placeOf, ({ unknownKey }) => unknownKey && nearestOf(unknownKey));
}

export async function refuseFirst(
  [first, ...more]: readonly FileProblem[],
  code: FileKind['code'],
  placeOf: CheckedFile<unknown>['placeOf'],
  hintFor: (problem: FileProblem) => string | undefined,
): Promise<void> {
  if (!first) return;
  throw new ToolError(code, `${messageOf(first)}${more.length > 0 ? ` (${more.length} more after this one)` : ''}`, {
    place: await placeOf(first.pointer, first.unknownKey === undefined ? 'value' : 'key'),
    hint: hintFor(first),
  });
}

function nearestOf({ key, known }: { readonly key: string; readonly known: readonly string[] }): string {
  return didYouMean(key, known).trim() || `Known here: ${known.join(', ')}.`;
}
