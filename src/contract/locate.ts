import { PROVENANCES } from '../schema/schema-document.ts';
import { isMethod } from '../schema/structure.ts';
import type { Notice } from './contract.ts';
import {
  childOf,
  faultAt,
  formatMark,
  isMapping,
  type MutableObject,
  placeOfMark,
  type Tree,
} from './document-tree.ts';
import { type LocatedOperation, locatedIn, nameOnlyIn, placeOnTheWire } from './operations.ts';
import { addParameters, mergeDocumented } from './overlays/merge-documented.ts';

/**
 * Makes operations from entries that overlays put under `paths`. An operation with the operationId of a name-only one
 * inherits its documentation. Any other is reported as unknown, but still becomes an operation. Changes the tree.
 * @throws ToolError `overlay-invalid` if overlays contradict each other
 */
export function locateOperations(tree: Tree): Notice[] {
  settle(
    tree,
    ({ value }) => String(value.operationId),
    (id, at) => `The operation ${id} is located twice, also at ${at}.`,
    true,
  );
  settle(tree, placeOnTheWire, (wire, at) => `${wire} collides with the operation at ${at}.`, false);
  const named = nameOnlyIn(tree);
  const notices: Notice[] = [];
  for (const spot of locatedIn(tree)) {
    if (spot.mark.origin.code !== 'overlay-invalid') continue;
    const operationId = String(spot.value.operationId);
    const known = named.has(operationId);
    mergeDocumented(tree, spot, known ? operationId : undefined);
    if (known) continue;
    notices.push({
      code: 'unknown-operation',
      message: `The reference knows no operation ${operationId}.`,
      place: placeOfMark(tree.nearest([...spot.segments, 'operationId']), 'value'),
    });
  }
  return notices;
}

/** An assumed operation yields to a known one. With `fill`, it still fills gaps. Two known ones are a contradiction. */
function settle(
  tree: Tree,
  keyOf: (spot: LocatedOperation) => string,
  message: (key: string, at: string) => string,
  fill: boolean,
): void {
  for (const [key, spots] of Map.groupBy(locatedIn(tree), keyOf)) {
    const [winner, ...others] = spots.toSorted((a, b) => strength(a) - strength(b));
    for (const other of others) {
      if (winner === undefined) continue;
      if (!isGuess(other) || isGuess(winner) || isOfSpec(winner)) {
        const [blamed, there] = isOfSpec(other) ? [winner, other] : [other, winner];
        throw faultAt(blamed.mark, message(key, formatMark(there.mark)));
      }
      if (fill) fillFrom(tree, winner, other);
      drop(tree, other);
    }
  }
}

function strength({ mark }: LocatedOperation): number {
  return PROVENANCES.indexOf(mark.provenance);
}

function isOfSpec({ mark }: LocatedOperation): boolean {
  return mark.origin.code === 'spec-invalid';
}

function isGuess({ mark }: LocatedOperation): boolean {
  return mark.provenance === 'assumed';
}

function fillFrom(tree: Tree, winner: LocatedOperation, guess: LocatedOperation): void {
  for (const [key, value] of Object.entries(guess.value)) {
    const mark = tree.mark(guess.value, key);
    if (!mark || key === 'parameters') continue;
    if (key === 'responses' && isMapping(winner.value.responses) && isMapping(value)) {
      fillResponses(tree, winner.value.responses, value);
    } else if (!Object.hasOwn(winner.value, key)) tree.set(winner.value, key, tree.copy(value, tree), mark);
  }
  const { parameters } = guess.value;
  // its path parameters belong to the assumed path
  if (Array.isArray(parameters))
    addParameters(tree, winner.value, parameters, guess.mark, (key) => !key.startsWith('path '));
}

function fillResponses(tree: Tree, responses: MutableObject, guessed: MutableObject): void {
  const isSuccess = (status: string): boolean => /^2/.test(status);
  const succeeds = Object.keys(responses).some(isSuccess);
  for (const [status, value] of Object.entries(guessed)) {
    const mark = tree.mark(guessed, status);
    if (!mark || Object.hasOwn(responses, status) || (succeeds && isSuccess(status))) continue;
    tree.set(responses, status, tree.copy(value, tree), mark);
  }
}

function drop(tree: Tree, spot: LocatedOperation): void {
  const paths = childOf(tree.root, 'paths') as MutableObject;
  const item = paths[spot.path];
  if (!isMapping(item)) return;
  tree.remove(item, new Set([spot.method.toLowerCase()]));
  if (!Object.keys(item).some(isMethod)) tree.remove(paths, new Set([spot.path]));
}
