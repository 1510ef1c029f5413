import { Document, isMap, isScalar, isSeq, type Node, type Pair, visit } from 'yaml';
import type { Json, JsonObject } from '../contract/contract.ts';
import type { RecordedAction } from './actions.ts';

/** Keywords that a recording writes of a value without fields. */
const LEAF_WORDS = [
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
  'x-asked-with-body',
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
const HEAD = ` What \`banking-api record\` saw beyond the API reference: shapes, never a value. Review it like code.
 It is given to verify, mock and diff by --overlay. Recording again keeps comments, descriptions and x-note fields.`;

/** How every recording is written, so that one that was read and written again is the same text. */
export const STYLE = { lineWidth: 0, singleQuote: true, flowCollectionPadding: true } as const;

/** The text of a new recording: one action per operation, small schemas on one line. */
export function newRecording(actions: readonly RecordedAction[]): string {
  const document = new Document(
    {
      overlay: '1.0.0',
      'x-provenance': 'observed',
      info: { title: 'Recording', version: '1' },
      actions: actions.map(plainAction),
    },
    { version: '1.2' },
  );
  document.commentBefore = HEAD;
  const list = document.get('actions');
  if (isSeq(list)) {
    for (const [index, item] of list.items.entries()) {
      const node = item as Node;
      node.spaceBefore = index > 0;
      compact(node);
    }
  }
  return document.toString(STYLE);
}

/** An action as it stands in the document. */
export function plainAction({ target, description, update }: RecordedAction): JsonObject {
  return { target, description, update };
}

/** A node for a value, laid out as in a new recording. */
export function createNode(document: Document, value: Json): Node {
  const node = document.createNode(value) as Node;
  compact(node);
  return node;
}

const LONGEST_LINE = 100;

/** Puts what is small and plain on one line: `{ type: string, format: date }`, `[ id, name ]`. */
function compact(root: Node): void {
  visit(root, {
    Seq(_, node) {
      if (node.items.every(isScalar) && lengthOf(node.toJSON()) <= LONGEST_LINE) node.flow = true;
    },
    Map(_, node) {
      if (node.items.length > 0 && node.items.every(isPlain) && lengthOf(node.toJSON()) <= LONGEST_LINE - 20)
        node.flow = true;
      if (node.items.length === 0) node.flow = true;
    },
  });
}

/** Keywords of a schema without fields: their maps read well on one line. */
const SMALL: ReadonlySet<string> = new Set([...LEAF_WORDS, 'in', 'of', 'records', 'values', 'form', 'items']);

function isPlain(pair: Pair): boolean {
  const key = isScalar(pair.key) ? String(pair.key.value) : '';
  if (!SMALL.has(key)) return false;
  const { value } = pair;
  if (isScalar(value)) return true;
  if (isSeq(value)) return value.items.every(isScalar);
  return isMap(value) && value.items.every(isPlain);
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}
