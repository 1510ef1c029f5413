import { dereference } from './resolve.ts';
import { childOf, isObject, type Mark, type MutableJson, type MutableObject, sameJson, type Tree } from './tree.ts';

/** Makes the schema under a key hold what is documented as well as what stands there: `allOf` of both, the documented one first. */
export function mergeSchema(tree: Tree, holder: MutableObject, key: string, documented: MutableJson, mark: Mark): void {
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
export function mergeItemSchema(tree: Tree, media: MutableObject, documented: MutableJson, mark: Mark): void {
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
