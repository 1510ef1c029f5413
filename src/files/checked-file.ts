import { type ErrorCode, type Place, ToolError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import { parseYaml } from './parse-yaml.ts';
import { positionOf } from './place.ts';
import { readTextFile } from './read.ts';
import { type PublishedSchema, schemaCheck } from './schema.ts';

/** A file that satisfies its schema, and where its parts stand. */
export interface CheckedFile<T> {
  readonly value: T;
  /** Place of the value at a JSON pointer. */
  placeOf(pointer: string): Promise<Place>;
}

/**
 * Reads YAML or JSON and holds it to a published schema, where it has one.
 * @param code of the error where it does not hold: `config`, or `spec-invalid` of a part of the contract
 * @throws ToolError of that code with file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readChecked<T>(
  file: string,
  schema: PublishedSchema | null,
  code: Extract<ErrorCode, 'config' | 'spec-invalid'> = 'config',
): Promise<CheckedFile<T>> {
  const text = await readTextFile(file);
  const value = (await parseYaml(text, file, code)) ?? {};
  const placeOf = async (pointer: string, part: 'key' | 'value' = 'value'): Promise<Place> => ({
    file,
    ...(await positionOf(text, pointer, part)),
    ...(pointer === '' ? {} : { pointer }),
  });
  const found = schema === null ? [] : (await schemaCheck(schema))(value);
  const problems = found.filter(({ message }) => !/"(?:then|else)" schema/.test(message));
  // a key that was misspelled is why another one is missing
  const [first, ...more] = problems.sort((a, b) => Number(isMissing(a.message)) - Number(isMissing(b.message)));
  if (!first) return { value: value as T, placeOf };
  const { unknownKey, pointer } = first;
  const message = /boolean schema is false/.test(first.message) ? 'It does not belong here.' : first.message;
  throw new ToolError(code, `${message}${more.length > 0 ? ` (${more.length} more after this one)` : ''}`, {
    place: await placeOf(pointer, unknownKey === undefined ? 'value' : 'key'),
    hint:
      unknownKey &&
      (didYouMean(unknownKey.key, unknownKey.known).trim() || `Known here: ${unknownKey.known.join(', ')}.`),
  });
}

function isMissing(message: string): boolean {
  return message.includes('must have required property');
}
