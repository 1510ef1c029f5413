import { Document, type Node, visit, type YAMLSeq } from 'yaml';
import type { Contract } from '../contract/contract.ts';
import { END_KEY, HEAD_KEY } from '../contract/overlays/recorded-head.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { targetOf } from './actions.ts';

const HEAD = ` Facts that \`banking-api record\` learned beyond the API reference: shapes, never a value. Review it like code.
 Pass it to verify, mock and diff with --overlay. \`record\` rewrites it: put notes and corrections into an overlay of your own.`;

const STYLE = { lineWidth: 0, singleQuote: true, flowCollectionPadding: true } as const;

export function headOf(contract: Contract, actions: readonly JsonObject[]): JsonObject {
  const targets = new Set(actions.map(({ target }) => target));
  const { info } = contract.document;
  return {
    contract: contract.folder.name,
    version: String(isObject(info) ? info.version : ''),
    operations: contract.operations.filter((each) => targets.has(targetOf(each))).map(({ operationId }) => operationId),
  };
}

/** Equal actions always give equal text. The last line marks the file as complete. */
export function recordingText(head: Json, actions: readonly JsonObject[]): string {
  const document = new Document(
    {
      overlay: '1.0.0',
      'x-provenance': 'observed',
      [HEAD_KEY]: head,
      info: { title: 'Recording', version: '1' },
      actions,
      [END_KEY]: true,
    },
    { version: '1.2', aliasDuplicateObjects: false },
  );
  document.commentBefore = HEAD;
  compact(document.get(HEAD_KEY) as Node);
  for (const [index, node] of (document.get('actions') as YAMLSeq<Node>).items.entries()) {
    node.spaceBefore = index > 0;
    compact(node);
  }
  return document.toString(STYLE);
}

/** Characters, as JSON. */
const LONGEST_LINE = 80;

/** Puts small collections on one line: `{ type: string, format: date }`, `[ id, name ]`. */
function compact(root: Node): void {
  visit(root, {
    Collection(_, node) {
      if (JSON.stringify(node).length <= LONGEST_LINE) node.flow = true;
    },
  });
}
