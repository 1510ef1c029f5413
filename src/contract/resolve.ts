import { parseFragment } from './pointer.ts';
import { isObject, type Key, type MutableJson, type MutableObject, type Tree } from './tree.ts';

/** An object of the bundle and where it stands. */
export interface Node {
  readonly value: MutableObject;
  readonly tokens: readonly Key[];
}

/** The object at the tokens, through references; undefined where there is none. The references are known to end (references.ts). */
export function follow(tree: Tree, tokens: readonly Key[]): Node | undefined {
  let at = tokens;
  for (;;) {
    const value = tree.find(at)?.value;
    if (!isObject(value)) return undefined;
    if (typeof value.$ref !== 'string') return { value, tokens: at };
    at = parseFragment(value.$ref.replace(/^#/, '')) ?? [];
  }
}

/** The object that a value is or refers to; undefined where it is neither. */
export function dereference(tree: Tree, value: MutableJson | undefined): MutableObject | undefined {
  if (!isObject(value) || typeof value.$ref !== 'string') return isObject(value) ? value : undefined;
  return follow(tree, parseFragment(value.$ref.replace(/^#/, '')) ?? [])?.value;
}

/** Place and name of a parameter: what tells parameters apart. */
export function parameterKey(tree: Tree, parameter: MutableJson): string {
  const { in: place, name } = dereference(tree, parameter) ?? {};
  return `${String(place)} ${String(name)}`;
}
