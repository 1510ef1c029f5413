import { editDistance } from '../../text/suggest.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { fillPath } from '../message/call.ts';

export interface Nearest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The path with ids that are there, and with what was asked for where none is known. */
  readonly example: string;
}

const MOST = 3;
/** A path of more segments is near nothing. */
const LONGEST = 16;
/** What a segment of a template costs that is missing. */
const MISSING = 0.3;
/** What a segment costs that no template has. */
const EXTRA = 1;
/** What a parameter costs: rather a word of the template. */
const PARAMETER = 0.1;
/** Another method at the same path: rather the one that was asked by. */
const OTHER_METHOD = 0.2;
/** A dearer path is near nothing. */
const DEAREST = 2;
/** A word that differs more is another word. */
const OTHER_WORD = 0.5;

/**
 * The operations whose paths are nearest to one that no operation has: letters are wrong or of the other case, segments are missing
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
    .map(decoded);
  if (given.length > LONGEST) return [];
  const found = operations.flatMap((operation) => {
    const wanted = operation.path.slice(1).split('/');
    const last = wanted.findLast((segment) => !segment.startsWith('{')) ?? '';
    if (given.every((segment) => difference(segment, last) >= OTHER_WORD)) return [];
    const { cost, values } = aligned(given, wanted);
    if (cost > DEAREST) return [];
    return [{ operation, values, cost: cost + (operation.method === method ? 0 : OTHER_METHOD) }];
  });
  found.sort((a, b) => a.cost - b.cost);
  return found.slice(0, MOST).map(({ operation, values }) => ({
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    example: fillPath(operation.path, { ...values, ...known }),
  }));
}

interface Aligned {
  readonly cost: number;
  readonly values: Readonly<Record<string, string>>;
}

/** The cheapest way to make the given segments those of a template. */
function aligned(given: readonly string[], wanted: readonly string[]): Aligned {
  let last: Aligned[] = [{ cost: 0, values: {} }];
  for (const _ of wanted) last.push({ cost: (last.at(-1)?.cost ?? 0) + MISSING, values: {} });
  for (const segment of given) {
    const row: Aligned[] = [{ cost: (last[0]?.cost ?? 0) + EXTRA, values: {} }];
    for (const [index, template] of wanted.entries()) {
      const name = /^\{([^{}]+)\}$/.exec(template)?.[1];
      const [diagonal, above, left] = [last[index], last[index + 1], row[index]] as [Aligned, Aligned, Aligned];
      const values = name === undefined || segment === '' ? diagonal.values : { ...diagonal.values, [name]: segment };
      const ways = [
        { cost: diagonal.cost + (name === undefined ? difference(segment, template) : costOf(segment)), values },
        { cost: above.cost + EXTRA, values: above.values },
        { cost: left.cost + MISSING, values: left.values },
      ];
      row.push(ways.reduce((best, way) => (way.cost < best.cost ? way : best)));
    }
    last = row;
  }
  return last.at(-1) ?? { cost: Number.POSITIVE_INFINITY, values: {} };
}

function costOf(value: string): number {
  return value === '' ? EXTRA : PARAMETER;
}

/** From 0 for the same text to 1 for another one. */
function difference(given: string, wanted: string): number {
  if (given === wanted) return 0;
  const edits = editDistance(given.toLowerCase(), wanted.toLowerCase());
  return Math.min(1, Math.max(0.1, edits / Math.max(wanted.length, 1)));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
