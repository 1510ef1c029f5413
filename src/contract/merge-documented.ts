import { authOf, type Located } from './operations.ts';
import { dereference, parameterKey } from './references.ts';
import {
  childOf,
  isObject,
  type Key,
  type Mark,
  type MutableJson,
  type MutableObject,
  sameJson,
  type Tree,
} from './tree.ts';

/** What of a name-only operation goes somewhere else than under the same key, or nowhere. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'x-request-schema',
  'x-response-schema',
  'x-parameters',
  'x-tag',
  'parameters',
  'servers',
]);

const JSON_TYPE = 'application/json';
/** Statuses that come without a body. */
const EMPTY: ReadonlySet<string> = new Set(['204', '205']);

/**
 * Gives an operation that an overlay put under `paths` what is documented of it: that of the name-only operation of its name, the 401
 * and the token of all operations, and the parameters of its path. What is documented stays documented. Changes the tree.
 */
export function mergeDocumented(tree: Tree, spot: Located, operationId: string | undefined): void {
  const named = operationId === undefined ? undefined : tree.find(['components', 'pathItems', operationId]);
  declarePathParameters(tree, spot);
  if (named && isObject(named.value)) inherit(tree, spot.value, named.value, named.mark);
  ensureResponses(tree, spot, named?.mark ?? tree.nearest(spot.tokens));
}

function inherit(tree: Tree, operation: MutableObject, named: MutableObject, mark: Mark): void {
  for (const [key, value] of Object.entries(named)) {
    if (ELSEWHERE.has(key) || Object.hasOwn(operation, key)) continue;
    tree.set(operation, key, tree.copy(value, tree), tree.mark(named, key) ?? mark);
  }
  const tag = named['x-tag'];
  if (typeof tag === 'string' && operation.tags === undefined) {
    const tagMark = tree.mark(named, 'x-tag') ?? mark;
    tree.set(operation, 'tags', [], tagMark);
    tree.push(operation.tags as unknown as MutableJson[], tag, tagMark);
  }
  appendParameters(tree, operation, named, mark);
  const request = named['x-request-schema'];
  if (request !== undefined) mergeRequest(tree, operation, request, tree.mark(named, 'x-request-schema') ?? mark);
  const response = named['x-response-schema'];
  if (response !== undefined) mergeResponses(tree, operation, response, tree.mark(named, 'x-response-schema') ?? mark);
  const item = named['x-item-schema'];
  if (item !== undefined) mergeItems(tree, operation, item, tree.mark(named, 'x-item-schema') ?? mark);
}

function appendParameters(tree: Tree, operation: MutableObject, named: MutableObject, mark: Mark): void {
  const documented = named['x-parameters'];
  if (!Array.isArray(documented)) return;
  const known = new Set(
    (Array.isArray(operation.parameters) ? operation.parameters : []).map((own) => parameterKey(tree, own)),
  );
  for (const [index, parameter] of documented.entries()) {
    if (known.has(parameterKey(tree, parameter))) continue;
    addParameter(tree, operation, tree.copy(parameter, tree), tree.mark(documented, index) ?? mark);
  }
}

function addParameter(tree: Tree, operation: MutableObject, parameter: MutableJson, mark: Mark): void {
  if (!Array.isArray(operation.parameters)) tree.set(operation, 'parameters', [], mark);
  tree.push(operation.parameters as MutableJson[], parameter, mark);
}

function mergeRequest(tree: Tree, operation: MutableObject, schema: MutableJson, mark: Mark): void {
  const body = ownObject(tree, operation, 'requestBody', mark);
  mergeContent(tree, body, schema, mark);
}

function mergeResponses(tree: Tree, operation: MutableObject, schema: MutableJson, mark: Mark): void {
  const responses = ownObject(tree, operation, 'responses', mark);
  const statuses = successesOf(responses);
  if (statuses.length === 0) statuses.push(addSuccess(tree, responses, mark));
  for (const status of statuses) {
    if (!EMPTY.has(status)) mergeContent(tree, ownObject(tree, responses, status, mark), schema, mark);
  }
}

/** The item schema goes to the items of each list that an overlay shows; the operation keeps it as well. */
function mergeItems(tree: Tree, operation: MutableObject, schema: MutableJson, mark: Mark): void {
  const responses = operation.responses;
  if (!isObject(responses)) return;
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

function addSuccess(tree: Tree, responses: MutableObject, mark: Mark): string {
  tree.set(responses, '2XX', {}, mark);
  const description = 'Success; which status is not shown.';
  tree.set(responses['2XX'] as MutableObject, 'description', description, mark);
  return '2XX';
}

/** Into every JSON body that is declared, or into a new one. */
function mergeContent(tree: Tree, holder: MutableObject, schema: MutableJson, mark: Mark): void {
  const content = ownObject(tree, holder, 'content', mark);
  const types = Object.keys(content).filter(isJsonType);
  if (types.length === 0) types.push(JSON_TYPE);
  for (const type of types) mergeSchema(tree, ownObject(tree, content, type, mark), 'schema', schema, mark);
}

function isJsonType(type: string): boolean {
  return /^application\/(?:[^;]+\+)?json\s*(?:;|$)/i.test(type);
}

/** The object under a key, made if there is none; what it refers to is copied, so that a change stays with this operation. */
function ownObject(tree: Tree, holder: MutableObject, key: Key, mark: Mark): MutableObject {
  const there = childOf(holder, key);
  if (!isObject(there)) {
    tree.set(holder, String(key), {}, mark);
  } else if (typeof there.$ref === 'string') {
    const copy = tree.copy(dereference(tree, there) ?? {}, tree);
    tree.set(holder, String(key), copy, tree.mark(holder, key) ?? mark);
  }
  return holder[String(key)] as MutableObject;
}

/** A success, and the 401 that is documented for whatever needs a token. */
function ensureResponses(tree: Tree, spot: Located, mark: Mark): void {
  const responses = ownObject(tree, spot.value, 'responses', mark);
  if (successesOf(responses).length === 0) addSuccess(tree, responses, mark);
  if (Object.hasOwn(responses, '401') || authOf(tree, String(spot.value.operationId), spot.value.security) !== 'bearer')
    return;
  const refusal = documentedRefusal(tree);
  if (refusal) tree.set(responses, '401', tree.copy(refusal.value, tree), refusal.mark);
}

function documentedRefusal(tree: Tree): { readonly value: MutableJson; readonly mark: Mark } | undefined {
  const paths = childOf(tree.root, 'paths');
  for (const item of isObject(paths) ? Object.values(paths) : []) {
    for (const operation of isObject(item) ? Object.values(item) : []) {
      const responses = childOf(operation, 'responses');
      const value = childOf(responses, '401');
      const mark = responses === undefined ? undefined : tree.mark(responses, '401');
      if (value !== undefined && mark?.provenance === 'documented') return { value, mark };
    }
  }
  return undefined;
}

/** A path parameter that the overlay does not declare is declared as the reference has it, or without a type. */
function declarePathParameters(tree: Tree, spot: Located): void {
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
    addParameter(tree, spot.value, parameter, mark);
  }
}

/** Makes the schema under a key hold what is documented as well as what stands there: `allOf` of both, the documented one first. */
function mergeSchema(tree: Tree, holder: MutableObject, key: string, documented: MutableJson, mark: Mark): void {
  const own = childOf(holder, key);
  if (
    own === undefined ||
    own === true ||
    sameJson(own, documented) ||
    (isObject(own) && Object.keys(own).length === 0)
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

/** Merges the documented schema of an item into the list that the schema of a media type shows: an array, or the only one in an object. */
function mergeItemSchema(tree: Tree, media: MutableObject, documented: MutableJson, mark: Mark): void {
  if (!showsList(tree, media.schema)) return;
  const schema = ownSchema(tree, media, 'schema', mark);
  const name = onlyArrayOf(tree, schema);
  if (isArraySchema(schema)) {
    mergeSchema(tree, schema, 'items', documented, mark);
  } else if (name !== undefined) {
    const properties = ownSchema(tree, schema, 'properties', mark);
    mergeSchema(tree, ownSchema(tree, properties, name, mark), 'items', documented, mark);
  }
}

function showsList(tree: Tree, value: MutableJson | undefined): boolean {
  const schema = dereference(tree, value);
  return schema !== undefined && (isArraySchema(schema) || onlyArrayOf(tree, schema) !== undefined);
}

function onlyArrayOf(tree: Tree, schema: MutableObject): string | undefined {
  const properties = childOf(schema, 'properties');
  if (!isObject(properties)) return undefined;
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

/** The schema under a key, copied if it is a reference, so that the component that others use stays as it is. */
function ownSchema(tree: Tree, holder: MutableObject, key: string, mark: Mark): MutableObject {
  const there = holder[key];
  if (isObject(there) && typeof there.$ref === 'string') {
    tree.set(holder, key, tree.copy(dereference(tree, there) ?? {}, tree), tree.mark(holder, key) ?? mark);
  }
  return holder[key] as MutableObject;
}
