import type { Document } from 'yaml';
import { type ErrorCode, ToolError } from '../errors.ts';
import { joinPointer, parsePointer } from '../pointer.ts';
import { createLocator, JsonTextError, type Part, type Position, positionsInJson, scanJson } from './json.ts';

/** The parser's own check of keys compares each with all before it: a map of 60,000 took a minute. */
const LINEAR = { logLevel: 'silent', uniqueKeys: false } as const;

/** The parser of YAML takes 15 µs and 2 kB for a value. */
const MOST_YAML_VALUES = 30_000;
const MOST_JSON_VALUES = 150_000;
const DEEPEST = 500;

/**
 * The value of a YAML text, null for an empty one. JSON is parsed as JSON. The parser of YAML is loaded when it is first needed.
 *
 * @param code of the error where it is no YAML
 * @throws ToolError with the line and column; its message quotes nothing of the text, which may hold a secret.
 */
export async function parseYaml(text: string, file: string, code: ErrorCode): Promise<unknown> {
  const values = countValues(text);
  const refuse = (message: string, hint?: string): never => {
    throw new ToolError(code, message, { place: { file }, hint });
  };
  if (values > MOST_JSON_VALUES) refuse(`It holds ${values} values; the limit is ${MOST_JSON_VALUES}.`);
  const json = jsonIn(text);
  if (json !== undefined) {
    const fault = jsonFault(text);
    if (fault === undefined) return json.value;
    const message = /twice/.test(fault.message) ? 'Map keys must be unique.' : `It is ${fault.message}.`;
    throw new ToolError(code, message, { place: { file, ...createLocator(text)(fault.offset) } });
  }
  if (values > MOST_YAML_VALUES)
    refuse(`It holds ${values} values; the limit is ${MOST_YAML_VALUES} for YAML.`, 'Write it as JSON.');
  const nodes = await import('yaml');
  const lines = new nodes.LineCounter();
  let document: Parsed['document'] & Pick<Document.Parsed, 'errors' | 'toJS'>;
  try {
    document = nodes.parseDocument(text, { ...LINEAR, lineCounter: lines, prettyErrors: true });
  } catch (error) {
    if (error instanceof RangeError) return refuse('It is nested too deeply.');
    throw error;
  }
  const [error] = document.errors;
  if (error !== undefined) {
    if (error.code === 'RESOURCE_EXHAUSTION') return refuse('It is nested too deeply.');
    const [start] = error.linePos ?? [];
    // What follows the first line shows the text.
    const [message = 'This is no YAML.'] = error.message.split('\n');
    throw new ToolError(code, message.replace(/ at line \d+, column \d+:?$/, '.'), {
      place: { file, ...(start === undefined ? {} : { line: start.line, column: start.col }) },
    });
  }
  const again = keyGivenTwice(document, nodes);
  if (again !== undefined) {
    const { line, col } = lines.linePos(again);
    throw new ToolError(code, 'Map keys must be unique.', { place: { file, line, column: col } });
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new ToolError(code, 'Its aliases cannot be resolved.', { place: { file, line: 1, column: 1 } });
  }
  const cycle = text.includes('*') ? pointerOfCycle(value) : undefined;
  if (cycle === undefined) return value;
  const place = { file, ...positionIn({ nodes, lines, document }, cycle, 'value'), pointer: cycle };
  throw new ToolError(code, 'By an alias it contains itself.', { place });
}

/** At least as many as the values of a text; the characters in its strings count, too. */
function countValues(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    // line feed, comma, opening bracket and brace
    if (character === 0x0a || character === 0x2c || character === 0x5b || character === 0x7b) count += 1;
  }
  return count;
}

function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What is wrong with a text that `JSON.parse` takes: a name that an object has twice, or its depth. */
function jsonFault(text: string): JsonTextError | undefined {
  try {
    scanJson(text, DEEPEST);
    return undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
}

/** The pointer of the first value that is one of those that contain it. */
function pointerOfCycle(root: unknown): string | undefined {
  const known = new Set<unknown>();
  const path: { readonly value: unknown; readonly rest: [key: string, value: unknown][]; key: string }[] = [];
  const enter = (value: unknown): void => {
    known.add(value);
    path.push({ value, rest: Object.entries(value as object), key: '' });
  };
  if (typeof root === 'object' && root !== null) enter(root);
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const next = at.rest.pop();
    if (next === undefined) {
      path.pop();
      continue;
    }
    const [key, value] = next;
    at.key = key;
    if (typeof value !== 'object' || value === null) continue;
    if (!known.has(value)) enter(value);
    else if (path.some((above) => above.value === value)) return joinPointer('', ...path.map((above) => above.key));
  }
  return undefined;
}

/** Where the key stands that its map has twice; undefined where no map has one. */
function keyGivenTwice(document: Parsed['document'], { isScalar, visit }: typeof import('yaml')): number | undefined {
  let at: number | undefined;
  visit(document as Document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      const again = items.find(({ key }) => {
        const name = isScalar(key) ? key.value : key;
        return seen.size === seen.add(name).size;
      });
      if (again === undefined) return undefined;
      at = rangeOf(again.key) ?? 0;
      return visit.BREAK;
    },
  });
  return at;
}

/**
 * Where the node at a JSON pointer stands in a YAML text; that of the nearest ancestor where there is none.
 * Loads the YAML parser: call it only when there is an error to place.
 */
export async function positionOf(text: string, pointer: string, part: Part = 'value'): Promise<Position> {
  return (await positionsIn(text, [pointer]))(pointer, part);
}

/** {@link positionOf} for several pointers: the text is parsed once. */
export async function positionsIn(
  text: string,
  pointers: readonly string[],
): Promise<(pointer: string, part: Part) => Position> {
  if (jsonIn(text) !== undefined) return positionsInJson(text, pointers);
  const nodes = await import('yaml');
  const lines = new nodes.LineCounter();
  const document = nodes.parseDocument(text, { ...LINEAR, lineCounter: lines });
  return (pointer, part) => positionIn({ nodes, lines, document }, pointer, part);
}

interface Parsed {
  readonly nodes: typeof import('yaml');
  readonly lines: InstanceType<typeof import('yaml').LineCounter>;
  readonly document: { readonly contents: unknown };
}

function positionIn({ nodes, lines, document }: Parsed, pointer: string, part: Part): Position {
  const { isMap, isPair, isScalar, isSeq } = nodes;
  let node: unknown = document.contents;
  let key: unknown;
  for (const segment of parsePointer(pointer) ?? []) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === segment);
      if (!isPair(pair)) break;
      key = pair.key;
      node = pair.value ?? pair.key;
    } else if (isSeq(node)) {
      key = node.items[Number(segment)];
      node = key;
    } else break;
    if (node === undefined) break;
  }
  const start = rangeOf(part === 'key' ? (key ?? node) : node) ?? rangeOf(key) ?? rangeOf(document.contents) ?? 0;
  const { line, col } = lines.linePos(start);
  return { line, column: col };
}

function rangeOf(node: unknown): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
  return range?.[0];
}
