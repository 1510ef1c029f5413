import { isMap, isSeq, type Pair, parseDocument } from 'yaml';
import type { Contract } from '../contract/contract.ts';
import { END_KEY, HEAD_KEY } from '../contract/overlays/recorded-head.ts';
import { isObject } from '../contract/schema-facts.ts';
import { targetOf } from './actions.ts';
import { createNode, STYLE } from './text.ts';

/**
 * The text of a recording with a head that says what it was recorded beside and of which operations it tells, and a last line: without
 * it the file was cut off. A text that says all this already is returned as it is.
 */
export function withHead(text: string, contract: Contract): string {
  const document = parseDocument(text, { version: '1.2', uniqueKeys: false });
  const before = JSON.stringify(document.toJS());
  const list = document.get('actions');
  if (!isMap(document.contents) || !isSeq(list)) return text;
  const targets = new Set(list.items.map((item) => (isMap(item) ? item.get('target') : undefined)));
  const { info } = contract.document;
  const head = {
    contract: contract.folder.name,
    version: String(isObject(info) ? info.version : ''),
    operations: contract.operations.filter((each) => targets.has(targetOf(each))).map(({ operationId }) => operationId),
  };
  const items = document.contents.items as Pair[];
  const old = items.findIndex((pair) => String(pair.key) === HEAD_KEY);
  const pair = document.createPair(HEAD_KEY, createNode(document, head));
  if (old >= 0) items[old] = pair;
  else items.splice(2, 0, pair);
  document.delete(END_KEY);
  document.set(END_KEY, true);
  return JSON.stringify(document.toJS()) === before ? text : document.toString(STYLE);
}
