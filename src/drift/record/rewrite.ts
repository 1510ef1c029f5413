import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Json, JsonObject } from '../../spec/contract.ts';
import type { RecordedAction } from './actions.ts';
import { isObject } from './known.ts';
import { createNode, plainAction, STYLE } from './text.ts';

/** Every word that a recording writes. Whatever else stands in one was put there by hand and stays. */
const OURS: ReadonlySet<string> = new Set([
  'target',
  'update',
  'responses',
  'x-samples',
  'x-sometimes-empty',
  'content',
  'schema',
  '$ref',
  'allOf',
  'type',
  'format',
  'pattern',
  'enum',
  'x-seen',
  'x-only-null',
  'x-contradicts-reference',
  'required',
  'properties',
  'additionalProperties',
  'items',
]);
/** Maps whose keys are names, not words: nothing in them is a note. */
const NAMES: ReadonlySet<string> = new Set(['properties', 'content', 'responses']);

/**
 * The text of a recording with newer knowledge in it. Comments, descriptions, `x-note` and whatever a recording never writes stay;
 * operations that were not seen this time stay as they were. A text that says all this already is returned as it is.
 *
 * @param order targets in the order of the contract
 */
export function rewriteRecording(text: string, actions: readonly RecordedAction[], order: readonly string[]): string {
  const document = parseDocument(text, { version: '1.2' });
  const list = document.get('actions');
  if (!isSeq(list)) return text;
  const before = JSON.stringify(document.toJS());
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
      if (isMap(update)) merge(document, update, withOlder(update.toJSON() as JsonObject, action.update), 'words');
    }
  }
  return JSON.stringify(document.toJS()) === before ? text : document.toString(STYLE);
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

type Keys = 'words' | 'names';

function merge(document: Document, node: YAMLMap, value: JsonObject, keys: Keys): void {
  const kept = node.items.filter((pair) => {
    const key = keyOf(pair);
    return Object.hasOwn(value, key) || (keys === 'words' && !OURS.has(key));
  });
  const pairs = new Map(kept.map((pair) => [keyOf(pair), pair]));
  for (const [key, child] of Object.entries(value)) {
    const pair = pairs.get(key);
    if (pair === undefined) {
      const created = document.createPair(key, null) as Pair;
      created.value = createNode(document, child);
      kept.push(created);
      if (node.flow === true && !isScalar(created.value)) node.flow = false;
    } else pair.value = mergeValue(document, pair.value as Node | null, child, keys === 'words' && NAMES.has(key));
  }
  node.items = inOrder(kept, Object.keys(value));
}

function mergeValue(document: Document, there: Node | null, value: Json, names: boolean): Node {
  if (isMap(there) && isObject(value)) {
    merge(document, there, value, names ? 'names' : 'words');
    return there;
  }
  if (isSeq(there) && Array.isArray(value)) {
    there.items = (value as readonly Json[]).map((item, index) => {
      const own = isObject(item)
        ? (there.items[index] as Node | undefined)
        : (there.items.find((node) => isScalar(node) && node.value === item) as Node | undefined);
      return own === undefined ? createNode(document, item) : mergeValue(document, own, item, false);
    });
    return there;
  }
  if (isScalar(there) && (typeof value !== 'object' || value === null)) {
    if (there.value === value) return there;
    const scalar = new Scalar(value);
    scalar.comment = there.comment ?? null;
    scalar.commentBefore = there.commentBefore ?? null;
    return scalar;
  }
  const created = createNode(document, value);
  if (there !== null) {
    created.comment = there.comment ?? null;
    created.commentBefore = there.commentBefore ?? null;
  }
  return created;
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

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}
