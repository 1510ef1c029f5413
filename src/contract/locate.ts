import { PROVENANCES } from './contract.ts';
import { type Located, locatedIn } from './operations.ts';
import { parameterKey } from './references.ts';
import { isMethod } from './structure.ts';
import {
  childOf,
  faultAt,
  formatMark,
  isObject,
  type Mark,
  type MutableJson,
  type MutableObject,
  type Tree,
} from './tree.ts';

/**
 * Two overlays may say where the same operation is. A guess yields to what is known: its place goes, and what else it assumes of the
 * operation stays where the other is silent. Two that are no guesses contradict each other. Changes the tree.
 * @throws ToolError `overlay-invalid` that names both places.
 */
export function settleRivals(tree: Tree): void {
  settle(
    tree,
    ({ value }) => String(value.operationId),
    (id, place) => `The operation ${id} is located twice, also at ${place}.`,
    true,
  );
  settle(tree, normalised, (spot, place) => `${spot} collides with the operation at ${place}.`, false);
}

/** Method and path without the names of the path's parameters: what tells operations apart on the wire. */
function normalised({ method, path }: Pick<Located, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

function settle(
  tree: Tree,
  keyOf: (spot: Located) => string,
  message: (key: string, place: string) => string,
  fill: boolean,
): void {
  const groups = Map.groupBy(locatedIn(tree), keyOf);
  for (const [key, spots] of groups) {
    if (spots.length < 2) continue;
    const [winner, ...others] = spots.toSorted((a, b) => strength(tree, a) - strength(tree, b)) as [
      Located,
      ...Located[],
    ];
    const isGuess = (spot: Located): boolean => provenanceOf(tree, spot) === 'assumed';
    const inSpec = (spot: Located): boolean => markOf(tree, spot).origin.code === 'spec-invalid';
    for (const spot of others) {
      if (!isGuess(spot) || isGuess(winner) || inSpec(winner)) throw clash(tree, winner, spot, key, message);
      if (fill) fillFrom(tree, winner, spot);
      drop(tree, spot);
    }
  }
}

function clash(
  tree: Tree,
  a: Located,
  b: Located,
  key: string,
  message: (key: string, place: string) => string,
): Error {
  const marks = [a, b].map((spot) => markOf(tree, spot));
  const [other, blamed] = marks.toSorted((x, y) => blame(x) - blame(y)) as [Mark, Mark];
  return faultAt(blamed, message(key, formatMark(other)));
}

function blame(mark: Mark): number {
  return mark.origin.code === 'overlay-invalid' ? 1 : 0;
}

function markOf(tree: Tree, spot: Located): Mark {
  return tree.nearest(spot.tokens);
}

function provenanceOf(tree: Tree, spot: Located): Mark['provenance'] {
  return markOf(tree, spot).provenance;
}

function strength(tree: Tree, spot: Located): number {
  return PROVENANCES.indexOf(provenanceOf(tree, spot));
}

/** Takes over what the guess assumes of the operation beside its place. */
function fillFrom(tree: Tree, winner: Located, guess: Located): void {
  for (const [key, value] of Object.entries(guess.value)) {
    const mark = tree.mark(guess.value, key);
    if (!mark || key === 'parameters') continue;
    if (key === 'responses' && isObject(winner.value.responses) && isObject(value)) {
      fillResponses(tree, winner.value.responses, value);
    } else if (!Object.hasOwn(winner.value, key)) tree.set(winner.value, key, tree.copy(value, tree), mark);
  }
  fillParameters(tree, winner, guess);
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

/** Query and header parameters; those of a path belong to the place that was guessed. */
function fillParameters(tree: Tree, winner: Located, guess: Located): void {
  const guessed = guess.value.parameters;
  const mark = tree.mark(guess.value, 'parameters');
  if (!Array.isArray(guessed) || !mark) return;
  const own = winner.value.parameters;
  const list: MutableJson[] = Array.isArray(own) ? own : [];
  const known = new Set(list.map((parameter) => parameterKey(tree, parameter)));
  for (const [index, parameter] of guessed.entries()) {
    const key = parameterKey(tree, parameter);
    if (key.startsWith('path ') || known.has(key)) continue;
    tree.push(list, tree.copy(parameter, tree), tree.mark(guessed, index) ?? mark);
  }
  if (own === undefined && list.length > 0) tree.set(winner.value, 'parameters', list, mark);
}

function drop(tree: Tree, spot: Located): void {
  const paths = childOf(tree.root, 'paths') as MutableObject;
  const item = paths[spot.path];
  if (!isObject(item)) return;
  tree.remove(item, new Set([spot.method.toLowerCase()]));
  if (!Object.keys(item).some(isMethod)) tree.remove(paths, new Set([spot.path]));
}
