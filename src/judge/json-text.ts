import { formatPlace, type Place } from '../errors.ts';
import { createLocator, JsonTextError, type Position, positionsInJson, scanJson } from '../files/json.ts';
import { formatDifference } from '../validators/problem.ts';
import type { Reading } from '../validators/validator.ts';

/** Deeper nesting is rejected. No API document comes close to it. */
const MAX_DEPTH = 500;

export interface Piece {
  readonly text: string;
  /** Lines of the file before it. */
  readonly line: number;
}

/** One line per problem: `file:line:column (at /pointer): what`. */
export function judgeText(file: string, { text, line }: Piece, reading: Reading<unknown>): readonly string[] {
  const placeAt = (at: Position): Place => ({ file, line: line + at.line, column: at.column });
  try {
    scanJson(text, MAX_DEPTH);
    const result = reading.check(JSON.parse(text));
    if (result.valid) return [];
    const pointers = result.problems.map(({ pointer }) => pointer);
    const positionOf = positionsInJson(text, pointers);
    return result.problems.map((problem) => {
      const { pointer } = problem;
      return `${formatPlace({ ...placeAt(positionOf(pointer, 'value')), pointer })}: ${formatDifference(problem)}`;
    });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return [`${formatPlace(placeAt(createLocator(text)(error.offset)))}: not JSON: ${error.message}`];
  }
}
