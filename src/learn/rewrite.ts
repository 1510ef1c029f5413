import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Json, JsonObject } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import type { RecordedAction } from './actions.ts';
import { below, holdsNames, keyOf, type LostNote, notesIn, notesOn, OURS, type Spot } from './notes.ts';
import { createNode, plainAction, STYLE } from './text.ts';

/** A recording that was brought up to date. */
export interface Rewritten {
  readonly text: string;
  /** Notes on what is not there any more, by target. */
  readonly lost: readonly (LostNote & { readonly target: string })[];
}

/**
 * The text of a recording with newer knowledge in it. Comments, descriptions, `x-note` and whatever a recording never writes stay, also
 * where the one recorded success or its type became another; operations that were not seen this time stay as they were. A text that says
 * all this already is returned as it is.
 *
 * @param order targets in the order of the contract
 */
export function rewriteRecording(
  text: string,
  actions: readonly RecordedAction[],
  order: readonly string[],
): Rewritten {
  const document = parseDocument(text, { version: '1.2' });
  const list = document.get('actions');
  if (!isSeq(list)) return { text, lost: [] };
  const before = JSON.stringify(document.toJS());
  const lost: Rewritten['lost'][number][] = [];
  const byTarget = new Map<string, YAMLMap>();
  for (const item of list.items) {
    const target = isMap(item) ? item.get('target') : undefined;
    if (isMap(item) && typeof target === 'string' && isMap(item.get('update')) && !byTarget.has(target)) {
      byTarget.set(target, item);
    }
  }
  for (const action of actions) {
    const there = byTarget.get(action.target);
    if (there === undefined) {
      const node = createNode(document, plainAction(action));
      node.spaceBefore = true;
      insert(list, node, action.target, order);
    } else {
      const update = there.get('update');
      if (!isMap(update)) continue;
      const value = withOlder(update.toJSON() as JsonObject, action.update);
      const merging: Merging = { document, lost: [] };
      merge(merging, update, value, { word: 'update', status: '', at: '' });
      lost.push(...merging.lost.map((note) => ({ ...note, target: action.target })));
    }
  }
  if (JSON.stringify(document.toJS()) === before) return { text, lost: [] };
  return { text: document.toString(STYLE), lost };
}

/** Refusals that did not come this time are still true; another success takes the place of the one before. */
function withOlder(old: JsonObject, update: JsonObject): JsonObject {
  const responses = isObject(update.responses) ? update.responses : {};
  const before = isObject(old.responses) ? old.responses : {};
  const succeeds = Object.keys(responses).some((status) => status.startsWith('2'));
  const kept = Object.entries(before).filter(
    ([status]) => !Object.hasOwn(responses, status) && !(succeeds && status.startsWith('2')),
  );
  const all = [...Object.entries(responses), ...kept].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...update, responses: Object.fromEntries(all) };
}

/** Behind the last action whose operation comes before in the contract. */
function insert(list: YAMLSeq, node: Node, target: string, order: readonly string[]): void {
  const rank = order.indexOf(target);
  const at = list.items.findLastIndex((item) => {
    const other = isMap(item) ? order.indexOf(String(item.get('target'))) : -1;
    return other >= 0 && other < rank;
  });
  list.items.splice(at + 1, 0, node);
}

interface Merging {
  readonly document: Document;
  readonly lost: LostNote[];
}

function merge(merging: Merging, node: YAMLMap, value: JsonObject, spot: Spot): void {
  carryOver(node, value, spot);
  const kept: Pair[] = [];
  for (const pair of node.items) {
    const key = keyOf(pair);
    if (Object.hasOwn(value, key) || (!holdsNames(spot) && !OURS.has(key))) kept.push(pair);
    else merging.lost.push(...notesOn(pair, below(spot, key)));
  }
  const pairs = new Map(kept.map((pair) => [keyOf(pair), pair]));
  for (const [key, child] of Object.entries(value)) {
    const pair = pairs.get(key);
    if (pair === undefined) {
      const created = merging.document.createPair(key, null) as Pair;
      created.value = createNode(merging.document, child);
      kept.push(created);
      if (node.flow === true && !isScalar(created.value)) node.flow = false;
    } else if (holdsNames(spot) || key !== 'description') {
      pair.value = mergeValue(merging, pair.value as Node | null, child, below(spot, key));
    }
  }
  node.items = inOrder(kept, Object.keys(value));
}

/** The one success that became another status, and the one content type that became another, are the same thing, renamed. */
function carryOver(node: YAMLMap, value: JsonObject, { word }: Spot): void {
  if (word !== 'responses' && word !== 'content') return;
  const counts = (key: string): boolean => word === 'content' || key.startsWith('2');
  const [before, ...more] = node.items.filter((pair) => counts(keyOf(pair)));
  const [after, ...others] = Object.keys(value).filter(counts);
  if (before === undefined || after === undefined || more.length + others.length > 0) return;
  if (isScalar(before.key)) before.key.value = after;
}

function mergeValue(merging: Merging, there: Node | null, value: Json, spot: Spot): Node {
  if (isMap(there) && isObject(value)) {
    merge(merging, there, value, spot);
    return there;
  }
  if (isSeq(there) && Array.isArray(value)) {
    const before = there.items as Node[];
    there.items = (value as readonly Json[]).map((item, index) => {
      const own = isObject(item) ? before[index] : before.find((node) => isScalar(node) && node.value === item);
      return own === undefined ? createNode(merging.document, item) : mergeValue(merging, own, item, spot);
    });
    const kept = new Set(there.items);
    for (const item of before) if (isNode(item) && !kept.has(item)) merging.lost.push(...notesIn(item, spot));
    return there;
  }
  if (isScalar(there) && (typeof value !== 'object' || value === null)) {
    if (there.value === value) return there;
    const scalar = new Scalar(value);
    scalar.comment = there.comment ?? null;
    scalar.commentBefore = there.commentBefore ?? null;
    return scalar;
  }
  const created = createNode(merging.document, value);
  if (there !== null) {
    created.comment = there.comment ?? null;
    created.commentBefore = there.commentBefore ?? null;
    if (!isScalar(there)) merging.lost.push(...notesIn(withoutComments(there), spot));
  }
  return created;
}

/** What was carried over is not lost. */
function withoutComments(node: Node): Node {
  node.comment = null;
  node.commentBefore = null;
  return node;
}

/** In the order of a new recording; what was put there by hand stays behind what it stood behind. */
function inOrder(pairs: readonly Pair[], order: readonly string[]): Pair[] {
  let rank = -1;
  const ranked = pairs.map((pair, index) => {
    const own = order.indexOf(keyOf(pair));
    if (own >= 0) rank = own;
    return { pair, rank: own >= 0 ? own : rank, index };
  });
  return ranked.sort((a, b) => a.rank - b.rank || a.index - b.index).map(({ pair }) => pair);
}
