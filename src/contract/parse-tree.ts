import {
  Composer,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Document as YamlDocument,
} from 'yaml';
import { type ErrorCode, ToolError } from '../errors.ts';
import { countValues, positionAt } from '../files/json.ts';
import { parseJson } from '../text/decode.ts';
import { type Mark, type MutableJson, type MutableObject, type Origin, plainText, Tree } from './document-tree.ts';
import { treeOfJson } from './parse-json.ts';
import { atOnce } from './time-slices.ts';

/** Limits of one file, to fail with an error and not a crash. `maxValues` of `contract.yaml` sets the first. */
const MAX_VALUES = { yaml: 200_000, json: 2_000_000 };
const MAX_DEPTH = 100;

/** Keys that would reach an object's prototype in a naive merge. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__']);

const JSON_TAG = /^tag:yaml\.org,2002:(?:map|seq|str|int|float|bool|null)$/;

/**
 * Parses YAML 1.2 or JSON into a tree with the position of each node.
 * @throws ToolError `code` with file, line, column: bad syntax, duplicate or forbidden keys, alias bombs, non-JSON data
 */
export function parseTree(file: string, text: string, code: ErrorCode): Tree {
  return atOnce(parsingTree(file, text, code));
}

export function* parsingTree(file: string, text: string, code: ErrorCode, given?: number): Generator<void, Tree> {
  const json = parseJson(text);
  const most = given ?? MAX_VALUES[json === undefined ? 'yaml' : 'json'];
  const lines = new LineCounter();
  const origin: Origin = { file, code, locate: (offset) => positionAt(lines.lineStarts, offset) };
  const fail: Fail = (message, offset, hint) => {
    throw new ToolError(code, plainText(message), { place: { file, ...origin.locate(offset) }, hint });
  };
  const failForSize = (offset: number): never => {
    const values = countValues(text);
    if (values <= most) return fail(`The document grows too large: its aliases make more than ${most} values.`, offset);
    const hint = `Set maxValues in contract.yaml to a higher number${given === undefined ? ', or write JSON' : ''}.`;
    return fail(`The document is too large: it has about ${values} values, and the limit is ${most}.`, offset, hint);
  };
  if (json !== undefined && countValues(text) <= most) {
    lines.addNewLine(0);
    for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
    yield;
    const root: Mark = { origin, at: 0, value: 0, provenance: 'documented', up: null, name: '' };
    return treeOfJson(text, json as MutableJson, root, MAX_DEPTH, fail);
  }
  const document = yield* documentOf(counted(text, most, failForSize), lines, fail);
  yield;
  return treeOf(document, origin, fail, most, failForSize);
}

/** The words before values. A value has at most one of each kind. */
const KINDS: ReadonlyMap<string, number> = new Map(Object.entries({ ',': 0, '-': 0, ':': 1, '?': 2, '[': 3, '{': 3 }));

/** The words of a document. Counts its values before they are parsed: the parser takes a kilobyte for each. */
function* counted(text: string, most: number, failForSize: (offset: number) => never): Generator<string> {
  const counts = [0, 0, 0, 0];
  for (const word of new Lexer().lex(text)) {
    const kind = KINDS.get(word);
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind !== undefined && (counts[kind] ?? 0) > most) failForSize(0);
    yield word;
  }
}

type Fail = (message: string, offset: number, hint?: string) => never;

/** yaml's `parseAllDocuments`, one lexer token at a time. */
function* composing(words: Iterable<string>, lines: LineCounter): Generator<void, YamlDocument[]> {
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({
    prettyErrors: false,
    stringKeys: true,
    // yaml's own check compares each key with all earlier keys; `object` below needs one step
    uniqueKeys: false,
    schema: 'core',
  });
  const documents: YamlDocument[] = [];
  lines.addNewLine(0);
  for (const word of words) {
    yield;
    for (const token of parser.next(word)) documents.push(...composer.next(token));
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  return documents;
}

function* documentOf(words: Iterable<string>, lines: LineCounter, fail: Fail): Generator<void, YamlDocument> {
  let documents: readonly YamlDocument[];
  try {
    documents = yield* composing(words, lines);
  } catch (cause) {
    if (cause instanceof RangeError) return fail('The document is nested too deeply.', 0);
    throw cause;
  }
  const [document, second] = documents;
  if (!document) return fail('The file is empty.', 0);
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) return fail(`${yamlMessage(problem.code, problem.message)}`, problem.pos[0]);
  if (second) return fail('The file holds more than one YAML document.', second.range?.[0] ?? 0);
  return document;
}

function yamlMessage(code: string, message: string): string {
  if (code === 'NON_STRING_KEY') return 'A key must be a string.';
  if (code === 'TAB_AS_INDENT') return 'A tab cannot indent YAML.';
  if (code === 'RESOURCE_EXHAUSTION') return 'The document is nested too deeply.';
  return `This is not valid YAML: ${message.replace(/\s+/g, ' ').trim().replace(/\.?$/, '.')}`;
}

function treeOf(
  document: YamlDocument,
  origin: Origin,
  fail: Fail,
  most: number,
  failForSize: (offset: number) => never,
): Tree {
  let nodes = 0;
  const open = new Set<Node>();
  const tree = new Tree(null, { origin, at: 0, value: 0, provenance: 'documented', up: null, name: '' });
  const node = document.contents as Node | null;
  if (node === null || (isScalar(node) && node.value === null && !node.source)) fail('The file is empty.', 0);
  const at = node?.range?.[0] ?? 0;
  tree.rootMark = { ...tree.rootMark, at, value: at };
  tree.root = read(node as Node, tree.rootMark, 0);
  return tree;

  function read(node: Node | null, mark: Mark, depth: number): MutableJson {
    nodes += 1;
    if (nodes > most) failForSize(mark.value);
    if (depth > MAX_DEPTH) fail('The document is nested too deeply.', mark.value);
    if (node === null) return null;
    if (node.tag && !JSON_TAG.test(node.tag)) fail(`The tag ${node.tag} has no counterpart in JSON.`, mark.value);
    if (isAlias(node)) return readAlias(node.resolve(document) ?? null, mark, depth);
    if (isScalar(node)) return readScalar(node.value, mark);
    open.add(node);
    const result = isMap(node)
      ? readObject(node.items, mark, depth)
      : isSeq(node)
        ? readArray(node.items as Node[], mark, depth)
        : null;
    open.delete(node);
    return result;
  }

  function readAlias(target: Node | null, mark: Mark, depth: number): MutableJson {
    if (!target) return fail('The alias names no anchor.', mark.value);
    if (open.has(target)) return fail('The alias stands inside the node that it repeats.', mark.value);
    return read(target, mark, depth);
  }

  function readScalar(value: unknown, mark: Mark): MutableJson {
    if (typeof value === 'number' && !Number.isFinite(value))
      return fail('JSON cannot represent this number.', mark.value);
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return value;
    return fail('The value has no counterpart in JSON.', mark.value);
  }

  function readObject(items: readonly unknown[], up: Mark, depth: number): MutableObject {
    const result: MutableObject = {};
    for (const item of items) {
      if (!isPair<Node, Node | null>(item)) continue;
      const at = item.key?.range?.[0] ?? up.value;
      if (!isScalar(item.key)) fail('A key must be a string.', at);
      const key = String((item.key as { value?: unknown }).value ?? '');
      if (FORBIDDEN_KEYS.has(key)) fail(`The key ${key} is not allowed.`, at);
      if (Object.hasOwn(result, key)) fail('The key stands twice in one object.', at);
      if (key === '<<') fail('YAML merge keys are not supported.', at, 'Write the members out, or use $ref.');
      const mark: Mark = {
        origin,
        at,
        value: item.value?.range?.[0] ?? at,
        provenance: 'documented',
        up,
        name: key,
      };
      tree.set(result, key, read(item.value, mark, depth + 1), mark);
    }
    return result;
  }

  function readArray(items: readonly (Node | null)[], up: Mark, depth: number): MutableJson[] {
    const result: MutableJson[] = [];
    for (const item of items) {
      const at = item?.range?.[0] ?? up.value;
      const mark: Mark = { origin, at, value: at, provenance: 'documented', up, name: result.length };
      tree.push(result, read(item, mark, depth + 1), mark);
    }
    return result;
  }
}
