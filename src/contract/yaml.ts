import { type ErrorCode, ToolError } from '../errors.ts';
import {
  countValues,
  createLocator,
  faultOf,
  type NodePart,
  type Position,
  positionsInJson,
  scanJson,
} from '../files/json.ts';
import { MIB } from '../files/read.ts';
import { parseJson } from '../text/decode.ts';
import { parsePointer } from '../text/pointer.ts';
import type { Tree } from './document-tree.ts';

/** The YAML parser takes 15 µs and 2 kB per value. */
const MOST_YAML_VALUES = 30_000;
/** In characters: the parser holds five copies of a text. */
const MOST_YAML_TEXT = 10 * MIB;
const MOST_JSON_VALUES = 150_000;
const DEEPEST = 500;

/**
 * The value of a YAML text, null if it is empty. JSON is parsed as JSON. The YAML parser is loaded when first needed.
 * `positionsOf` finds the positions that are requested together in one pass.
 *
 * @param code of the error if it is not YAML
 * @throws ToolError with line and column. Its message never quotes the text, which may contain a secret.
 */
export async function parseYaml(text: string, file: string, code: ErrorCode) {
  const values = countValues(text);
  const refuse = (message: string, hint?: string): never => {
    throw new ToolError(code, message, { place: { file }, hint });
  };
  if (values > MOST_JSON_VALUES) refuse(`It holds ${values} values; the limit is ${MOST_JSON_VALUES}.`);
  const json = parseJson(text);
  if (json !== undefined) {
    // `JSON.parse` accepts a duplicate name in an object, and any depth
    const fault = faultOf(() => scanJson(text, DEEPEST));
    if (fault === undefined)
      return { value: json, positionsOf: (pointers: readonly string[]) => positionsInJson(text, pointers) };
    const message = /twice/.test(fault.message) ? 'The key stands twice in one object.' : `It is ${fault.message}.`;
    throw new ToolError(code, message, { place: { file, ...createLocator(text)(fault.offset) } });
  }
  if (values > MOST_YAML_VALUES)
    refuse(`It holds ${values} values; the limit is ${MOST_YAML_VALUES} for YAML.`, 'Write it as JSON.');
  if (text.length > MOST_YAML_TEXT) refuse('It has more than 10 MB, the limit for YAML.', 'Write it as JSON.');
  const hasContent = /^[^\S\n]*[^\s#]/m.test(text);
  if (!hasContent) return { value: null, positionsOf: () => () => ({ line: 1, column: 1 }) };
  const { parseTree } = await import('./parse-tree.ts');
  const tree = parseTree(file, text, code);
  return { value: tree.root, positionsOf: () => (pointer: string, part: NodePart) => positionIn(tree, pointer, part) };
}

function positionIn(tree: Tree, pointer: string, part: NodePart): Position {
  const segments = parsePointer(pointer) ?? [];
  const found = tree.find(segments);
  const { origin, at, value } = found?.mark ?? tree.nearest(segments);
  return origin.locate(found !== undefined && part === 'key' ? at : value);
}
