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
import { countValues } from '../files/json.ts';
import {
  type Mark,
  type MutableJson,
  type MutableObject,
  type Origin,
  originOf,
  plainText,
  Tree,
} from './document-tree.ts';
import { atOnce } from './time-slices.ts';

/** Limits of one file, to fail with an error and not a crash. `maxValues` of `contract.yaml` sets the first. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 100;

/** Keys that would reach an object's prototype in a naive merge. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__']);

const JSON_TAG = /^tag:yaml\.org,2002:(?:map|seq|str|int|float|bool|null)$/;

/**
 * Parses YAML 1.2 or JSON into a tree with the position of each node.
 * @throws ToolError `code` with file, line, column: bad syntax, duplicate or forbidden keys, alias bombs, non-JSON data
 */
export function parseTree(file: string, text: string, code: ErrorCode): Parsed {
  return atOnce(parsingTree(file, text, code));
}

export function* parsingTree(
  file: string,
  text: string,
  code: ErrorCode,
  most: number = MAX_VALUES,
): Generator<void, Parsed> {
  const lines = new LineCounter();
  const origin = originOf(file, code, lines.lineStarts);
  const fail: Fail = (message, offset, hint) => {
    throw new ToolError(code, plainText(message), { place: { file, ...origin.locate(offset) }, hint });
  };
  const document = yield* documentOf(text, lines, fail);
  yield;
  return { tree: new Reader(document, origin, fail, { most, text }).read(), lineStarts: lines.lineStarts };
}

export interface Parsed {
  readonly tree: Tree;
  readonly lineStarts: readonly number[];
}

interface Size {
  readonly most: number;
  readonly text: string;
}

type Fail = (message: string, offset: number, hint?: string) => never;

/** yaml's `parseAllDocuments`, one lexer token at a time. */
function* composing(text: string, lines: LineCounter): Generator<void, YamlDocument[]> {
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
  for (const word of new Lexer().lex(text)) {
    yield;
    for (const token of parser.next(word)) documents.push(...composer.next(token));
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  return documents;
}

function* documentOf(text: string, lines: LineCounter, fail: Fail): Generator<void, YamlDocument> {
  let documents: readonly YamlDocument[];
  try {
    documents = yield* composing(text, lines);
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

class Reader {
  private nodes = 0;
  private readonly open = new Set<Node>();
  private readonly document: YamlDocument;
  private readonly origin: Origin;
  private readonly fail: Fail;
  private readonly size: Size;
  private readonly tree: Tree;

  constructor(document: YamlDocument, origin: Origin, fail: Fail, size: Size) {
    this.size = size;
    this.document = document;
    this.origin = origin;
    this.fail = fail;
    this.tree = new Tree(null, { origin, at: 0, value: 0, provenance: 'documented', up: null, name: '' });
  }

  read(): Tree {
    const node = this.document.contents as Node | null;
    if (node === null || (isScalar(node) && node.value === null && !node.source)) this.fail('The file is empty.', 0);
    const at = node?.range?.[0] ?? 0;
    this.tree.rootMark = { ...this.tree.rootMark, at, value: at };
    this.tree.root = this.value(node as Node, this.tree.rootMark, 0);
    return this.tree;
  }

  private value(node: Node | null, mark: Mark, depth: number): MutableJson {
    this.nodes += 1;
    if (this.nodes > this.size.most) this.failForSize(mark.value);
    if (depth > MAX_DEPTH) this.fail('The document is nested too deeply.', mark.value);
    if (node === null) return null;
    if (node.tag && !JSON_TAG.test(node.tag)) this.fail(`The tag ${node.tag} has no counterpart in JSON.`, mark.value);
    if (isAlias(node)) return this.alias(node.resolve(this.document) ?? null, mark, depth);
    if (isScalar(node)) return this.scalar(node.value, mark);
    this.open.add(node);
    const result = isMap(node)
      ? this.object(node.items, mark, depth)
      : isSeq(node)
        ? this.array(node.items as Node[], mark, depth)
        : null;
    this.open.delete(node);
    return result;
  }

  private failForSize(offset: number): never {
    const { most, text } = this.size;
    const values = countValues(text);
    if (values <= most)
      return this.fail(`The document grows too large: its aliases make more than ${most} values.`, offset);
    const hint = 'Set maxValues in contract.yaml to a higher number.';
    return this.fail(
      `The document is too large: it has about ${values} values, and the limit is ${most}.`,
      offset,
      hint,
    );
  }

  private alias(target: Node | null, mark: Mark, depth: number): MutableJson {
    if (!target) return this.fail('The alias names no anchor.', mark.value);
    if (this.open.has(target)) return this.fail('The alias stands inside the node that it repeats.', mark.value);
    return this.value(target, mark, depth);
  }

  private scalar(value: unknown, mark: Mark): MutableJson {
    if (typeof value === 'number' && !Number.isFinite(value))
      return this.fail('JSON cannot represent this number.', mark.value);
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return value;
    return this.fail('The value has no counterpart in JSON.', mark.value);
  }

  private object(items: readonly unknown[], up: Mark, depth: number): MutableObject {
    const result: MutableObject = {};
    for (const item of items) {
      if (!isPair<Node, Node | null>(item)) continue;
      const at = item.key?.range?.[0] ?? up.value;
      if (!isScalar(item.key)) this.fail('A key must be a string.', at);
      const key = String((item.key as { value?: unknown }).value ?? '');
      if (FORBIDDEN_KEYS.has(key)) this.fail(`The key ${key} is not allowed.`, at);
      if (Object.hasOwn(result, key)) this.fail('The key stands twice in one object.', at);
      if (key === '<<') this.fail('YAML merge keys are not supported.', at, 'Write the members out, or use $ref.');
      const mark: Mark = {
        origin: this.origin,
        at,
        value: item.value?.range?.[0] ?? at,
        provenance: 'documented',
        up,
        name: key,
      };
      this.tree.set(result, key, this.value(item.value, mark, depth + 1), mark);
    }
    return result;
  }

  private array(items: readonly (Node | null)[], up: Mark, depth: number): MutableJson[] {
    const result: MutableJson[] = [];
    for (const item of items) {
      const at = item?.range?.[0] ?? up.value;
      const mark: Mark = { origin: this.origin, at, value: at, provenance: 'documented', up, name: result.length };
      this.tree.push(result, this.value(item, mark, depth + 1), mark);
    }
    return result;
  }
}
