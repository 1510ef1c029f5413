import { joinPointer } from '../text/pointer.ts';
import type { JsonObject } from './json.ts';
import type { SchemaFacts } from './schema-facts.ts';

interface Place {
  /** Pointer into the value, with `*` for list indices and map keys. */
  readonly at: string;
  readonly value: unknown;
  /** The schemas that describe the value. */
  readonly node: SchemaFacts;
}

/** The whole value, an item of a list, or a value of a map. */
interface Part extends Place {
  readonly kind: 'part';
}

/** A field that a schema names, present or not, or a field that no schema describes. */
export interface Field extends Place {
  readonly kind: 'named' | 'unknown';
  readonly object: JsonObject;
  /** The schemas that describe the object. */
  readonly holder: SchemaFacts;
}

export type Visit = Part | Field;

/** A list in a value, or an object keyed by id. `schema` describes its items in addition to the walked schemas. */
export interface ItemsBeside {
  readonly at: string;
  readonly list: object;
  readonly schema: string;
}

const DEEPEST = 100;

/** Visits each place of a value along its schemas. */
export function walk(node: SchemaFacts, value: unknown, see: (visit: Visit) => void, beside?: ItemsBeside): void {
  visit({ kind: 'part', at: '', value, node }, 0);

  function visit(here: Visit, depth: number): void {
    see(here);
    const { at, value, node } = here;
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
    const beneath = value === beside?.list ? [beside.schema] : [];
    if (Array.isArray(value)) {
      const items = beneath.length > 0 ? node.at([...beneath, ...node.items]) : node.child(value, '');
      // Ajv alone judges the first items of a tuple; `items` describes the others
      for (const item of node.listed === 0 ? value : value.slice(node.listed))
        visit({ kind: 'part', at: `${at}/*`, value: item, node: items }, depth + 1);
      return;
    }
    const object = value as JsonObject;
    const own = { object, holder: node };
    for (const name of node.properties.keys()) {
      const child = Object.hasOwn(object, name) ? object[name] : undefined;
      const inside = {
        kind: 'named',
        at: joinPointer(at, name),
        value: child,
        node: node.member(name),
        ...own,
      } as const;
      visit(inside, depth + 1);
    }
    for (const [name, child] of Object.entries(object)) {
      if (node.properties.has(name)) continue;
      const schemas = beneath.length > 0 ? node.at([...beneath, ...node.unnamed(name)]) : node.child(object, name);
      const inside = { at: joinPointer(at, name), value: child, node: schemas };
      const isUnknown = node.naming.length > 0 && !node.demanded.has(name);
      if (inside.node.pointers.length > 0) visit({ ...inside, kind: 'part', at: `${at}/*` }, depth + 1);
      else if (beside !== undefined && `${beside.at}/`.startsWith(`${inside.at}/`))
        visit(isUnknown ? { ...inside, kind: 'unknown', ...own } : { ...inside, kind: 'part' }, depth + 1);
      else if (isUnknown) see({ ...inside, kind: 'unknown', ...own });
    }
  }
}
