import { isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { joinPointer } from '../pointer.ts';

/** Keywords that a recording writes of a value without fields. */
export const LEAF_WORDS = [
  'type',
  'format',
  'pattern',
  'enum',
  'x-seen',
  'x-only-null',
  'x-contradicts-reference',
  'x-always-there',
  '$ref',
] as const;

/** Every word that a recording writes. Whatever else stands in one was put there by hand and stays. */
export const OURS: ReadonlySet<string> = new Set<string>([
  'target',
  'update',
  'responses',
  'x-samples',
  'x-sometimes-empty',
  'content',
  'schema',
  'allOf',
  ...LEAF_WORDS,
  'required',
  'properties',
  'additionalProperties',
  'items',
]);
/** Maps whose keys are names, not words: nothing in them is a note. */
const NAMES: ReadonlySet<string> = new Set(['properties', 'content', 'responses']);
/** The description that a recording writes where there is none. */
export const OBSERVED = 'Observed.';

/** Where in a recording a map stands. */
export interface Spot {
  /** Key that holds it; empty where its own keys are words, whatever holds it. */
  readonly word: string;
  readonly status: string;
  /** Pointer in the body. */
  readonly at: string;
}

/** True of a map whose keys are names. */
export function holdsNames({ word }: Spot): boolean {
  return NAMES.has(word);
}

/** The spot of what stands under a key. */
export function below(spot: Spot, key: string): Spot {
  const { word, at } = spot;
  if (holdsNames(spot)) {
    if (word === 'responses') return { word: '', status: key, at: '' };
    return { ...spot, word: '', at: word === 'properties' ? joinPointer(at, key) : at };
  }
  return { ...spot, word: key, at: key === 'items' || key === 'additionalProperties' ? `${at}/*` : at };
}

/** A note that goes with what it was written on. */
export interface LostNote {
  /** Status and place in the body. */
  readonly place: string;
  readonly text: string;
}

/** The notes of an entry of a map, the entry being what the spot is of. */
export function notesOn(pair: Pair, spot: Spot): LostNote[] {
  const { key, value } = pair;
  const own = isNode(key) ? commentsOf(key) : [];
  return [...own.map((text) => ({ place: placeOf(spot), text })), ...(isNode(value) ? notesIn(value, spot) : [])];
}

/** The notes in a node: its comments, and what a recording does not write. */
export function notesIn(node: Node, spot: Spot): LostNote[] {
  const own = commentsOf(node).map((text) => ({ place: placeOf(spot), text }));
  if (isSeq(node)) return [...own, ...node.items.flatMap((item) => (isNode(item) ? notesIn(item, spot) : []))];
  if (!isMap(node)) return own;
  const inner = node.items.flatMap((pair): LostNote[] => {
    const word = keyOf(pair);
    if (holdsNames(spot) || OURS.has(word)) return notesOn(pair, below(spot, word));
    const value = isNode(pair.value) ? (pair.value.toJSON() as unknown) : pair.value;
    if (word === 'description' && value === OBSERVED) return [];
    const text = `${word}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    return [{ place: placeOf(spot), text }];
  });
  return [...own, ...inner];
}

export function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

function placeOf({ status, at }: Spot): string {
  return `${status} ${at}`.trim();
}

function commentsOf(node: Node): string[] {
  return [node.commentBefore, node.comment].flatMap((comment) =>
    comment == null || comment.trim() === '' ? [] : [`#${comment.replaceAll('\n', ' #')}`],
  );
}
