import { sortedText } from '../../text/sorted-text.ts';
import { authOf } from '../auth.ts';
import {
  childOf,
  isMapping,
  type Key,
  type Mark,
  type MutableJson,
  type MutableObject,
  type Tree,
} from '../document-tree.ts';
import type { LocatedOperation } from '../operations.ts';
import { dereference, parameterKey } from '../references.ts';

/** Keys of a name-only operation that are merged under another key, in this order. */
const MOVED = ['x-tag', 'x-parameters', 'x-request-schema', 'x-response-schema'];
const ELSEWHERE: ReadonlySet<string> = new Set([...MOVED, 'parameters', 'servers']);

/** Adds the documented facts to a located operation: its name-only form, the common 401, the token, path parameters. */
export function mergeDocumented(tree: Tree, spot: LocatedOperation, operationId: string | undefined): void {
  const named = operationId === undefined ? undefined : tree.find(['components', 'pathItems', operationId]);
  declarePathParameters(tree, spot);
  if (isMapping(named?.value)) inherit(tree, spot.value, named.value);
  ensureResponses(tree, spot, named?.mark ?? spot.mark);
}

function inherit(tree: Tree, operation: MutableObject, named: MutableObject): void {
  const markOf = (key: string): Mark => tree.mark(named, key) ?? tree.rootMark;
  for (const [key, value] of Object.entries(named)) {
    if (!ELSEWHERE.has(key) && !Object.hasOwn(operation, key))
      tree.set(operation, key, tree.copy(value, tree), markOf(key));
  }
  for (const key of [...MOVED, 'x-item-schema']) {
    const [value, mark] = [named[key], markOf(key)];
    if (value === undefined) continue;
    if (key === 'x-tag' && operation.tags === undefined) append(tree, operation, 'tags', value, mark);
    if (key === 'x-parameters' && Array.isArray(value)) addParameters(tree, operation, value, mark);
    if (key === 'x-request-schema') mergeContent(tree, ownObject(tree, operation, 'requestBody', mark), value, mark);
    if (key === 'x-response-schema') mergeResponses(tree, operation, value, mark);
    if (key === 'x-item-schema') mergeItems(tree, operation, value, mark);
  }
}

export function addParameters(
  tree: Tree,
  operation: MutableObject,
  parameters: MutableJson[],
  mark: Mark,
  isWanted: (key: string) => boolean = () => true,
): void {
  const own = Array.isArray(operation.parameters) ? operation.parameters : [];
  const known = new Set(own.map((parameter) => parameterKey(tree, parameter)));
  for (const [index, parameter] of parameters.entries()) {
    const key = parameterKey(tree, parameter);
    if (known.has(key) || !isWanted(key)) continue;
    append(tree, operation, 'parameters', tree.copy(parameter, tree), tree.mark(parameters, index) ?? mark);
  }
}

function append(tree: Tree, holder: MutableObject, key: string, entry: MutableJson, mark: Mark): void {
  if (!Array.isArray(holder[key])) tree.set(holder, key, [], mark);
  tree.push(holder[key] as MutableJson[], entry, mark);
}

function mergeResponses(tree: Tree, operation: MutableObject, schema: MutableJson, mark: Mark): void {
  const responses = ownObject(tree, operation, 'responses', mark);
  ensureSuccess(tree, responses, mark);
  for (const status of successesOf(responses)) {
    // these statuses have no body
    if (status === '204' || status === '205') continue;
    mergeContent(tree, ownObject(tree, responses, status, mark), schema, mark);
  }
}

function mergeItems(tree: Tree, operation: MutableObject, schema: MutableJson, mark: Mark): void {
  const responses = operation.responses;
  if (!isMapping(responses)) return;
  for (const status of successesOf(responses)) {
    if (childOf(dereference(tree, responses[status]), 'content') === undefined) continue;
    const content = ownObject(tree, ownObject(tree, responses, status, mark), 'content', mark);
    for (const type of Object.keys(content).filter(isJsonType))
      mergeItemSchema(tree, ownObject(tree, content, type, mark), schema, mark);
  }
}

function successesOf(responses: MutableObject): string[] {
  return Object.keys(responses).filter((status) => /^2/.test(status));
}

function ensureSuccess(tree: Tree, responses: MutableObject, mark: Mark): void {
  if (successesOf(responses).length > 0) return;
  tree.set(ownObject(tree, responses, '2XX', mark), 'description', 'Success; which status is not shown.', mark);
}

function mergeContent(tree: Tree, holder: MutableObject, schema: MutableJson, mark: Mark): void {
  const content = ownObject(tree, holder, 'content', mark);
  const types = Object.keys(content).filter(isJsonType);
  if (types.length === 0) types.push('application/json');
  for (const type of types) mergeSchema(tree, ownObject(tree, content, type, mark), 'schema', schema, mark);
}

function isJsonType(type: string): boolean {
  return /^application\/(?:[^;]+\+)?json\s*(?:;|$)/i.test(type);
}

/** The object under a key, created if missing. A reference is replaced by a copy: only this operation changes. */
function ownObject(tree: Tree, holder: MutableObject, key: Key, mark: Mark): MutableObject {
  const there = childOf(holder, key);
  if (!isMapping(there)) {
    tree.set(holder, String(key), {}, mark);
  } else if (typeof there.$ref === 'string') {
    const copy = tree.copy(dereference(tree, there) ?? {}, tree);
    tree.set(holder, String(key), copy, tree.mark(holder, key) ?? mark);
  }
  return holder[String(key)] as MutableObject;
}

function ensureResponses(tree: Tree, spot: LocatedOperation, mark: Mark): void {
  const responses = ownObject(tree, spot.value, 'responses', mark);
  ensureSuccess(tree, responses, mark);
  const { auth } = authOf(tree, String(spot.value.operationId), spot.value.security);
  if (Object.hasOwn(responses, '401') || auth !== 'bearer') return;
  const refusal = documentedRefusal(tree);
  if (refusal) tree.set(responses, '401', tree.copy(refusal.value, tree), refusal.mark);
}

function documentedRefusal(tree: Tree): { readonly value: MutableJson; readonly mark: Mark } | undefined {
  const paths = childOf(tree.root, 'paths');
  for (const item of isMapping(paths) ? Object.values(paths) : []) {
    for (const operation of isMapping(item) ? Object.values(item) : []) {
      const responses = childOf(operation, 'responses');
      const value = childOf(responses, '401');
      const mark = responses === undefined ? undefined : tree.mark(responses, '401');
      if (value !== undefined && mark?.provenance === 'documented') return { value, mark };
    }
  }
  return undefined;
}

/** Declares missing path parameters as in the reference, or without a type. */
function declarePathParameters(tree: Tree, spot: LocatedOperation): void {
  const item = childOf(childOf(tree.root, 'paths'), spot.path);
  const lists = [childOf(item, 'parameters'), spot.value.parameters].filter((list) => Array.isArray(list));
  const declared = new Set(lists.flat().map((parameter) => parameterKey(tree, parameter)));
  for (const [, name] of spot.path.matchAll(/\{([^{}]+)\}/g)) {
    if (name === undefined || declared.has(`path ${name}`)) continue;
    const known = tree.find(['components', 'parameters', name]);
    const documented = known && parameterKey(tree, known.value) === `path ${name}`;
    const mark = documented ? known.mark : tree.nearest(['paths', spot.path]);
    const fields: MutableObject = documented
      ? { $ref: `#/components/parameters/${name}` }
      : { name, in: 'path', required: true, schema: {} };
    const parameter: MutableObject = {};
    for (const [key, value] of Object.entries(fields)) tree.set(parameter, key, value, mark);
    append(tree, spot.value, 'parameters', parameter, mark);
  }
}

/** Combines the existing schema under a key with the documented one: `allOf` of both, the documented one first. */
function mergeSchema(tree: Tree, holder: MutableObject, key: string, documented: MutableJson, mark: Mark): void {
  const own = childOf(holder, key);
  if (
    own === undefined ||
    own === true ||
    sortedText(own) === sortedText(documented) ||
    (isMapping(own) && Object.keys(own).length === 0)
  ) {
    tree.set(holder, key, tree.copy(documented, tree), mark);
    return;
  }
  const ownMark = tree.mark(holder, key) ?? mark;
  const parts: MutableJson[] = [];
  tree.push(parts, tree.copy(documented, tree), mark);
  tree.push(parts, own, ownMark);
  const both: MutableObject = {};
  tree.set(both, 'allOf', parts, mark);
  tree.set(holder, key, both, mark);
}

/** Merges the documented item schema into the list of a media type: an array, or the only array in an object. */
function mergeItemSchema(tree: Tree, media: MutableObject, documented: MutableJson, mark: Mark): void {
  const shown = dereference(tree, media.schema);
  const name = shown && onlyArrayOf(tree, shown);
  if (shown && isArraySchema(shown)) {
    mergeSchema(tree, ownObject(tree, media, 'schema', mark), 'items', documented, mark);
  } else if (name !== undefined) {
    const properties = ownObject(tree, ownObject(tree, media, 'schema', mark), 'properties', mark);
    mergeSchema(tree, ownObject(tree, properties, name, mark), 'items', documented, mark);
  }
}

function onlyArrayOf(tree: Tree, schema: MutableObject): string | undefined {
  const properties = childOf(schema, 'properties');
  if (!isMapping(properties)) return undefined;
  const arrays = Object.keys(properties).filter((name) => {
    const property = dereference(tree, properties[name]);
    return property !== undefined && isArraySchema(property);
  });
  return arrays.length === 1 ? arrays[0] : undefined;
}

function isArraySchema(schema: MutableObject): boolean {
  const { type } = schema;
  return (
    type === 'array' ||
    (Array.isArray(type) && type.includes('array')) ||
    (type === undefined && schema.items !== undefined)
  );
}
