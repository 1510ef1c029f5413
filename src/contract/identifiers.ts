import { type Kind, kindOfChild } from '../schema/structure.ts';
import { parseFragment } from '../text/pointer.ts';
import { entriesOf, isContainer, isMapping, type Key, type MutableJson, type MutableObject } from './document-tree.ts';

/** The segments of the target of a reference in a schema. Undefined if no `$id` or `$anchor` takes part. */
export type Identify = (schema: MutableObject, reference: string) => readonly Key[] | undefined;

/** The base of a document that states none. */
const NO_BASE = 'http://document.invalid/';

/** Finds targets of references by `$id` and `$anchor` (JSON Schema 2020-12, Core, 8.2). */
export function identifiersIn(root: MutableJson, rootKind: Kind): Identify {
  const bases = new Map<MutableObject, string>();
  const targets = new Map<string, readonly Key[]>();
  const visit = (value: MutableJson, kind: Kind, at: readonly Key[], outer: string): void => {
    if (!isContainer(value) || kind === 'data') return;
    let base = outer;
    if (kind === 'schema' && isMapping(value)) {
      if (typeof value.$id === 'string') base = resolved(value.$id, base) ?? base;
      if (base !== outer) targets.set(base, at);
      for (const anchor of [value.$anchor, value.$dynamicAnchor])
        if (typeof anchor === 'string') targets.set(`${base}#${anchor}`, at);
      if (typeof value.$ref === 'string') bases.set(value, base);
    }
    for (const [key, child] of entriesOf(value)) visit(child, kindOfChild(kind, key), [...at, key], base);
  };
  visit(root, rootKind, [], NO_BASE);
  return (schema, reference) => {
    if (targets.size === 0) return undefined;
    const uri = resolved(reference, bases.get(schema) ?? NO_BASE) ?? '';
    const known = targets.get(uri);
    if (known !== undefined || !uri.includes('#/')) return known;
    const [resource = '', fragment = ''] = uri.split('#');
    const home = targets.get(resource);
    const inside = parseFragment(fragment);
    return home && inside ? [...home, ...inside] : undefined;
  };
}

function resolved(reference: string, base: string): string | undefined {
  return URL.parse(reference, base)?.href.replace(/#$/, '');
}
