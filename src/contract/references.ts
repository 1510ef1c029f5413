import { type Kind, mayRefer, visitObjects, visitSchemas } from '../schema/structure.ts';
import { formatFragment, joinPointer, parseFragment, parsePointer, pointerOfReference } from '../text/pointer.ts';
import {
  childOf,
  faultAt,
  isMapping,
  type Key,
  type Mark,
  type MutableJson,
  type MutableObject,
  type Tree,
} from './document-tree.ts';

export interface Node {
  readonly value: MutableObject;
  readonly segments: readonly Key[];
}

/** Follows references to the object at the segments; undefined if there is no object. The references must end. */
export function follow(tree: Tree, segments: readonly Key[]): Node | undefined {
  let at = segments;
  for (;;) {
    const value = tree.find(at)?.value;
    if (!isMapping(value)) return undefined;
    if (typeof value.$ref !== 'string') return { value, segments: at };
    at = parseFragment(value.$ref.replace(/^#/, '')) ?? [];
  }
}

export function dereference(tree: Tree, value: MutableJson | undefined): MutableObject | undefined {
  if (!isMapping(value) || typeof value.$ref !== 'string') return isMapping(value) ? value : undefined;
  return follow(tree, parseFragment(value.$ref.replace(/^#/, '')) ?? [])?.value;
}

export function parameterKey(tree: Tree, parameter: MutableJson): string {
  const { in: place, name } = dereference(tree, parameter) ?? {};
  return `${String(place)} ${String(name)}`;
}

/** Keywords whose schemas apply to the same value: a cycle through these never ends. */
const IN_PLACE: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

/**
 * Checks that every reference of a bundle ends, and is internal and has a target unless a schema refers.
 * @throws ToolError `spec-invalid` or `overlay-invalid`, depending on its author, with its place.
 */
export function checkReferences(tree: Tree): void {
  const checked = new Set<MutableObject>();
  visitObjects(tree.root, (object, kind) => {
    const value = object as MutableObject;
    if (typeof value.$ref !== 'string' || !mayRefer(kind)) return;
    const mark = tree.mark(value, '$ref') ?? tree.rootMark;
    if (kind !== 'schema') targetOf(tree, value.$ref, mark);
    endsOrThrow(tree, value, kind, mark, checked, new Set());
  });
}

/**
 * Replaces each `$dynamicRef` by a `$ref`, which means the same if only one schema has the `$dynamicAnchor`. Yields the
 * pointers of the others, and then removes them.
 */
export function* resolveDynamic(tree: Tree): Iterable<string> {
  const anchors = new Map<unknown, string[]>();
  const references: [schema: MutableObject, pointer: string][] = [];
  visitSchemas(tree.root, (node, at) => {
    const schema = node as MutableObject;
    if (typeof schema.$dynamicRef === 'string') references.push([schema, at]);
    if (typeof schema.$dynamicAnchor !== 'string') return;
    const name = `#${schema.$dynamicAnchor}`;
    anchors.set(name, [...(anchors.get(name) ?? []), at]);
    tree.remove(schema, new Set(['$dynamicAnchor']));
  });
  for (const [schema, at] of references) {
    const [target, ...others] = anchors.get(schema.$dynamicRef) ?? [];
    const mark = tree.mark(schema, '$dynamicRef') ?? tree.rootMark;
    if (target === undefined || others.length > 0 || schema.$ref !== undefined) yield joinPointer(at, '$dynamicRef');
    else tree.set(schema, '$ref', formatFragment(parsePointer(target) ?? []), mark);
    tree.remove(schema, new Set(['$dynamicRef']));
  }
  if (references.length > 0) checkReferences(tree);
}

/** The schema that a reference leads to, if it leads anywhere. */
export function schemaAt(tree: Tree, reference: string): MutableJson | undefined {
  const pointer = pointerOfReference(reference);
  const found = pointer === undefined ? undefined : tree.find(parsePointer(pointer) ?? [])?.value;
  return isMapping(found) || typeof found === 'boolean' ? found : undefined;
}

function targetOf(tree: Tree, reference: string, mark: Mark): MutableJson {
  if (!reference.startsWith('#')) {
    const hint = 'An overlay is applied to the bundled document: write #/components/….';
    throw faultAt(mark, `The reference ${reference} does not stay in the document.`, { part: 'value', hint });
  }
  const segments = parseFragment(reference.slice(1));
  if (!segments) throw faultAt(mark, `The reference ${reference} is no JSON pointer.`, { part: 'value' });
  const found = tree.find(segments);
  if (!found) throw faultAt(mark, `The reference ${reference} names nothing.`, { part: 'value' });
  return found.value;
}

function endsOrThrow(
  tree: Tree,
  value: MutableJson,
  kind: Kind,
  from: Mark,
  ended: Set<MutableObject>,
  open: Set<MutableObject>,
): void {
  if (!isMapping(value) || ended.has(value)) return;
  if (open.has(value)) throw faultAt(from, 'The reference leads back to itself.', { part: 'value' });
  open.add(value);
  if (typeof value.$ref === 'string') {
    const mark = tree.mark(value, '$ref') ?? from;
    const target = kind === 'schema' ? schemaAt(tree, value.$ref) : targetOf(tree, value.$ref, mark);
    if (target !== undefined) endsOrThrow(tree, target, kind, mark, ended, open);
  }
  for (const part of kind === 'schema' ? partsInPlace(value) : []) endsOrThrow(tree, part, kind, from, ended, open);
  open.delete(value);
  ended.add(value);
}

function partsInPlace(schema: MutableObject): MutableJson[] {
  return IN_PLACE.flatMap((keyword) => {
    const part = childOf(schema, keyword as Key);
    if (part === undefined) return [];
    return Array.isArray(part) ? part : [part];
  });
}
