import type { Contract } from '../contract/contract.ts';
import { describe, type SchemaFacts } from '../schema/schema-facts.ts';
import { joinPointer } from '../text/pointer.ts';

/** Schemas that refer to each other name fields without end, so only the outermost levels count. */
const MOST_NAMED = 500;

export interface NamedField {
  readonly at: string;
  /** The first of its schemas, which is a documented one if possible. */
  readonly schema: string;
  readonly schemas: readonly string[];
}

/** The fields that a schema names, to the deepest level at which there are at most {@link MOST_NAMED}. */
export function namedFields(contract: Contract, schema: string, at: string): NamedField[] {
  const all = fieldsWithin(Number.POSITIVE_INFINITY);
  if (all.length <= MOST_NAMED) return all;
  let found = fieldsWithin(1);
  for (let levels = 2; ; levels += 1) {
    const more = fieldsWithin(levels);
    if (more.length > MOST_NAMED) return found;
    found = more;
  }

  function fieldsWithin(most: number): NamedField[] {
    const fields: NamedField[] = [];
    const collect = (node: SchemaFacts, place: string, trail: readonly string[], level: number): void => {
      const { pointers, properties, items } = node;
      if (level === most || fields.length > MOST_NAMED || pointers.some((pointer) => trail.includes(pointer))) return;
      const inside = [...trail, ...pointers];
      for (const [name, schemas] of properties) {
        const child = joinPointer(place, name);
        fields.push({ at: child, schema: schemas[0] ?? '', schemas });
        collect(node.member(name), child, inside, level + 1);
      }
      if (items.length > 0) collect(node.at(items), `${place}/*`, inside, level);
    };
    collect(describe(contract, [schema]), at, [], 0);
    return fields;
  }
}
