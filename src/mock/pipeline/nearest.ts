import type { Nearest } from '../../../generated/mock/control.ts';
import { decodePercent } from '../../text/decode.ts';
import { editDistance } from '../../text/suggest.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { encodePath } from '../message/call.ts';

const MOST = 3;
/** A path with more segments has no near match. */
const LONGEST = 16;
/** Cost of a missing template word. */
const MISSING = 0.3;
/** Cost of each segment more or less than in the template. */
const LENGTH = 0.1;
/** Cost of a different method, so the requested method ranks first. */
const OTHER_METHOD = 0.2;
/** Cost of a parameter at the end of the template if the path ends with a fixed word: a list is meant, not an item. */
const ITEM = 0.6;
/** Highest cost of a near match. */
const DEAREST = 2;
/** Two words with this difference or more do not match. */
const OTHER_WORD = 0.5;

/**
 * The operations whose paths are closest to an unknown path. Typos, wrong case, missing or extra segments, and a plural
 * for a singular are allowed. The last fixed word of the template, which names the resource, must match.
 * @param known Real values for path parameters, used in the example path.
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
  const difference = createDifference();
  const last = given.at(-1) ?? '';
  const endsWithWord = operations.some(({ path: template }) =>
    template.split('/').some((word) => !word.startsWith('{') && difference(last, word) < OTHER_WORD),
  );
  const found = operations.flatMap((operation) => {
    const segments = operation.path.slice(1).split('/');
    const [words, names] = [segments.filter((one) => !one.startsWith('{')), segments.flatMap(parameterIn)];
    const differences = words.map((word) => Math.min(...given.map((segment) => difference(segment, word))));
    if ((differences.at(-1) ?? 1) >= OTHER_WORD) return [];
    const cost =
      (endsWithWord && parameterIn(segments.at(-1) ?? '').length > 0 ? ITEM : 0) +
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

/** Measures two words: 0 for equal ones, else 0.1 to 1. Templates repeat their words, so each pair is measured once. */
function createDifference(): (given: string, wanted: string) => number {
  const known = new Map<string, number>();
  return (given, wanted) => {
    if (given === wanted) return 0;
    // at least one edit for each letter more or less
    if (Math.abs(given.length - wanted.length) >= OTHER_WORD * wanted.length) return 1;
    const pair = `${given}/${wanted}`;
    const before = known.get(pair);
    if (before !== undefined) return before;
    const edits = editDistance(given.toLowerCase(), wanted.toLowerCase());
    const made = Math.min(1, Math.max(0.1, edits / wanted.length));
    known.set(pair, made);
    return made;
  };
}
