import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Json, JsonObject } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import { joinPointer } from '../pointer.ts';
import type { RecordedAction } from './actions.ts';
import { OBSERVED } from './schema.ts';
import { createNode, OURS, plainAction, STYLE } from './text.ts';

/** A recording that was brought up to date. */
export interface Rewritten {
  readonly text: string;
  /** Notes on what is not there any more, by target. */
  readonly lost: readonly (Note & { readonly target: string })[];
}

interface RewriteOptions {
  /** Targets in the order of the contract. */
  readonly order: readonly string[];
  /** Take out what was not seen this time, too: operations, statuses, content types. */
  readonly fresh: boolean;
  /** Targets that stay all the same. */
  readonly spared?: readonly (string | null)[];
}

/**
 * The text of a recording with newer knowledge in it. Comments, descriptions, `x-note` and whatever a recording never writes stay, also
 * where the one recorded success or its type became another; operations that were not seen this time stay as they were. A text that says
 * all this already is returned as it is.
 *
 */
export function rewriteRecording(
  text: string,
  actions: readonly RecordedAction[],
  { order, fresh, spared = [] }: RewriteOptions,
): Rewritten {
  const document = parseDocument(text, { version: '1.2', uniqueKeys: false });
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
      const value = fresh ? action.update : withOlder(update.toJSON() as JsonObject, action.update);
      const notes = notesIn(update, TOP);
      merge(document, update, value, TOP);
      for (const note of lostOf(notes, notesIn(update, TOP))) lost.push({ ...note, target: action.target });
    }
  }
  if (fresh) lost.push(...dropUnseen(list, new Set([...spared, ...actions.map(({ target }) => target)])));
  if (JSON.stringify(document.toJS()) === before) return { text, lost: [] };
  return { text: document.toString(STYLE), lost };
}

/** Statuses that did not come this time are still true. */
function withOlder(old: JsonObject, update: JsonObject): JsonObject {
  const now = isObject(update.responses) ? update.responses : {};
  const before = isObject(old.responses) ? old.responses : {};
  const kept = Object.entries(before).filter(([status]) => !Object.hasOwn(now, status));
  const all = [...Object.entries(now), ...kept].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...update, responses: Object.fromEntries(all) };
}

/** Takes out the recorded operations that were not seen; what a person added to the list stays. */
function dropUnseen(list: YAMLSeq, seen: ReadonlySet<string | null>): Rewritten['lost'] {
  const lost: Rewritten['lost'][number][] = [];
  list.items = list.items.filter((item) => {
    const target = isMap(item) ? item.get('target') : undefined;
    const update = isMap(item) ? item.get('update') : undefined;
    if (typeof target !== 'string' || seen.has(target) || !isMap(update) || !update.has('responses')) return true;
    for (const note of notesIn(update, TOP)) lost.push({ ...note, target });
    return false;
  });
  return lost;
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

function merge(document: Document, node: YAMLMap, value: JsonObject, level: Level): void {
  carryOver(node, value, level);
  const kept = node.items.filter((pair) => Object.hasOwn(value, keyOf(pair)) || isByHand(keyOf(pair), level));
  const pairs = new Map(kept.map((pair) => [keyOf(pair), pair]));
  for (const [key, child] of Object.entries(value)) {
    const pair = pairs.get(key);
    if (pair === undefined) {
      const created = document.createPair(key, null) as Pair;
      created.value = createNode(document, child);
      kept.push(created);
      const isSmall = isScalar(created.value) || (created.value as { flow?: boolean }).flow === true;
      if (node.flow === true && !isSmall) node.flow = false;
    } else if (holdsNames(level) || key !== 'description') {
      pair.value = mergeValue(document, pair.value as Node | null, child, below(level, key));
    }
  }
  node.items = inOrder(kept, Object.keys(value));
}

/** The one success that became another status, and the one content type that became another, are the same thing, renamed. */
function carryOver(node: YAMLMap, value: JsonObject, { word }: Level): void {
  if (word !== 'responses' && word !== 'content') return;
  const counts = (key: string): boolean => word === 'content' || key.startsWith('2');
  const [before, ...more] = node.items.filter((pair) => counts(keyOf(pair)));
  const [after, ...others] = Object.keys(value).filter(counts);
  if (before === undefined || after === undefined || more.length + others.length > 0) return;
  if (isScalar(before.key)) before.key.value = after;
}

function mergeValue(document: Document, there: Node | null, value: Json, level: Level): Node {
  if (isMap(there) && isObject(value)) {
    merge(document, there, value, level);
    return there;
  }
  if (isSeq(there) && Array.isArray(value)) {
    const before = there.items as Node[];
    there.items = (value as readonly Json[]).map((item, index) => {
      const own = isObject(item) ? before[index] : before.find((node) => isScalar(node) && node.value === item);
      return own === undefined ? createNode(document, item) : mergeValue(document, own, item, level);
    });
    return there;
  }
  if (isScalar(there) && there.value === value) return there;
  const created = createNode(document, value);
  created.comment = there?.comment ?? null;
  created.commentBefore = there?.commentBefore ?? null;
  return created;
}

/** In the order of a new recording; what was put there by hand stays behind what it stood behind. */
function inOrder(pairs: readonly Pair[], order: readonly string[]): Pair[] {
  let rank = -1;
  const ranked = pairs.map((pair) => {
    const own = order.indexOf(keyOf(pair));
    if (own >= 0) rank = own;
    return { pair, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ pair }) => pair);
}

/** Maps whose keys are names, not words: nothing in them is a note. */
const NAMES: ReadonlySet<string> = new Set(['properties', 'content', 'responses', 'x-seen']);

/** Where in a recording a map stands. */
interface Level {
  /** Key that holds it; empty where its own keys are words, whatever holds it. */
  readonly word: string;
  readonly status: string;
  /** Pointer in the body. */
  readonly pointer: string;
}

const TOP: Level = { word: 'update', status: '', pointer: '' };

/** True of a map whose keys are names. */
function holdsNames({ word }: Level): boolean {
  return NAMES.has(word);
}

/** The level of what stands under a key. */
function below(level: Level, key: string): Level {
  const { word, pointer } = level;
  if (holdsNames(level)) {
    if (word === 'responses') return { word: '', status: key, pointer: '' };
    return { ...level, word: '', pointer: word === 'properties' ? joinPointer(pointer, key) : pointer };
  }
  const isInside = key === 'items' || key === 'additionalProperties';
  return { ...level, word: key, pointer: isInside ? `${pointer}/*` : pointer };
}

/** True of a member that a recording never writes. */
function isByHand(key: string, level: Level): boolean {
  return !holdsNames(level) && !OURS.has(key);
}

/** A note that goes with what it was written on. */
interface Note {
  /** Status and place in the body. */
  readonly place: string;
  readonly text: string;
}

/** The notes in a node: its comments, and what a recording does not write. */
function notesIn(node: unknown, level: Level): Note[] {
  if (!isNode(node)) return [];
  const place = `${level.status} ${level.pointer}`.trim();
  const own = commentsOf(node).map((text) => ({ place, text }));
  if (isSeq(node)) return [...own, ...node.items.flatMap((item) => notesIn(item, level))];
  if (!isMap(node)) return own;
  const inner = node.items.flatMap(({ key, value }: Pair): Note[] => {
    const word = nameOf(key);
    if (!isByHand(word, level)) return [key, value].flatMap((part) => notesIn(part, below(level, word)));
    const plain = isNode(value) ? (value.toJSON() as unknown) : value;
    if (word === 'description' && plain === OBSERVED) return [];
    return [{ place, text: `${word}: ${typeof plain === 'string' ? plain : JSON.stringify(plain)}` }];
  });
  return [...own, ...inner];
}

/** What of the notes in one recording is not in another. */
export function notesLost(before: string, after: string): Rewritten['lost'] {
  const [first = [], second = []] = [before, after].map((text) => {
    const list = parseDocument(text, { version: '1.2', uniqueKeys: false }).get('actions');
    return (isSeq(list) ? list.items : []).flatMap((item) => {
      const [target, update] = isMap(item) ? [item.get('target'), item.get('update')] : [];
      return notesIn(update, TOP).map((note) => ({ ...note, target: String(target) }));
    });
  });
  const left = new Set(lostOf(first, second));
  return first.filter((note) => left.has(note));
}

/** Notes that were there and are not any more, wherever they stand now. */
function lostOf(before: readonly Note[], after: readonly Note[]): Note[] {
  const left = after.map(({ text }) => text);
  return before.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function keyOf({ key }: Pair): string {
  return nameOf(key);
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function commentsOf({ commentBefore, comment }: Node): string[] {
  return [commentBefore, comment].flatMap((text) =>
    text == null || text.trim() === '' ? [] : [`#${text.replaceAll('\n', ' #')}`],
  );
}
