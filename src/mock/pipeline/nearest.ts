import type { Nearest } from '../../../generated/mock/control.ts';
import { decodePercent } from '../../text/decode.ts';
import { editDistance } from '../../text/suggest.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { encodePath } from '../message/call.ts';

const MOST = 3;
/** A path of more segments is near nothing. */
const LONGEST = 16;
/** What a word of a template costs that is missing. */
const MISSING = 0.3;
/** What each segment costs that a path has more or less than a template. */
const LENGTH = 0.1;
/** Another method at the same path: rather the one that was asked by. */
const OTHER_METHOD = 0.2;
/** A dearer path is near nothing. */
const DEAREST = 2;
/** A word that differs more is another word. */
const OTHER_WORD = 0.5;

/**
 * The operations whose paths have nearly the words of one that no operation has: letters are wrong or of the other case, segments are missing
 * or too many, `cards` is `card`. The last word of the path, which names what is asked for, must be there.
 * @param known A value for each path parameter for which there is one.
 */
export function nearestTo(
  method: string,
  path: string,
  operations: readonly PlannedOperation[],
  known: Readonly<Record<string, string>>,
): readonly Nearest[] {
  const given = path
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .map((segment) => decodePercent(segment) ?? segment);
  if (given.length > LONGEST) return [];
  const found = operations.flatMap((operation) => {
    const segments = operation.path.slice(1).split('/');
    const [words, names] = [segments.filter((one) => !one.startsWith('{')), segments.flatMap(parameterIn)];
    const differences = words.map((word) => Math.min(...given.map((segment) => difference(segment, word))));
    if ((differences.at(-1) ?? 1) >= OTHER_WORD) return [];
    const cost =
      differences.reduce((sum, one) => sum + (one < OTHER_WORD ? one : MISSING), 0) +
      LENGTH * Math.abs(given.length - segments.length) +
      (operation.method === method ? 0 : OTHER_METHOD);
    if (cost > DEAREST) return [];
    const others = given.filter((segment) => words.every((word) => difference(segment, word) >= OTHER_WORD));
    const values = Object.fromEntries(names.flatMap((name, index) => (others[index] ? [[name, others[index]]] : [])));
    return [{ operation, cost, values }];
  });
  found.sort((a, b) => a.cost - b.cost);
  return found.slice(0, MOST).map(({ operation, values }) => ({
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    example: encodePath(operation.path, { ...values, ...known }),
  }));
}

function parameterIn(segment: string): string[] {
  return /^\{([^{}]+)\}$/.exec(segment)?.slice(1) ?? [];
}

/** From 0 for the same text to 1 for another one. */
function difference(given: string, wanted: string): number {
  if (given === wanted) return 0;
  const edits = editDistance(given.toLowerCase(), wanted.toLowerCase());
  return Math.min(1, Math.max(0.1, edits / Math.max(wanted.length, 1)));
}
