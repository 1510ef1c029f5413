import { weakest } from '../spec/basis.ts';
import type { Contract, Json, JsonObject, Provenance } from '../spec/contract.ts';
import { joinPointer } from '../spec/pointer.ts';

/**
 * What the fields that a value shows rest on, the weakest of them: a field of the schema rests on what its schema rests on, a field
 * (or a whole value) that no schema knows is an assumption. The values themselves are always made up and are not judged.
 */
export function provenanceShown(contract: Contract, value: Json, schemaPointer: string | null): Provenance {
  if (schemaPointer === null) return 'assumed';
  const { pointer, node } = follow(contract, schemaPointer);
  if (node === undefined || typeof node !== 'object' || node === null) return 'assumed';
  const own = contract.provenanceOf(pointer);
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => provenanceShown(contract, item, childPointer(contract, pointer, 'items')));
    return weakest(own, ...items);
  }
  if (typeof value !== 'object' || value === null) return own;
  const members = Object.entries(value).map(([name, member]) => {
    const found = propertyPointer(contract, pointer, name);
    return found === null ? 'assumed' : weakest(contract.provenanceOf(found), provenanceShown(contract, member, found));
  });
  return weakest(own, ...members);
}

/** Pointer of the schema that speaks of a member, in the schema itself or in a part of its `allOf`, `anyOf` and `oneOf`. */
function propertyPointer(contract: Contract, schemaPointer: string, name: string): string | null {
  const { pointer, node } = follow(contract, schemaPointer);
  if (!isObject(node)) return null;
  if (isObject(node.properties) && Object.hasOwn(node.properties, name))
    return joinPointer(pointer, 'properties', name);
  for (const word of ['allOf', 'anyOf', 'oneOf']) {
    const parts = node[word];
    for (const index of Array.isArray(parts) ? parts.keys() : []) {
      const found = propertyPointer(contract, joinPointer(pointer, word, index), name);
      if (found !== null) return found;
    }
  }
  return isObject(node.additionalProperties) ? joinPointer(pointer, 'additionalProperties') : null;
}

function childPointer(contract: Contract, pointer: string, key: string): string | null {
  const node = contract.at(pointer);
  return isObject(node) && Object.hasOwn(node, key) ? joinPointer(pointer, key) : null;
}

/** The node at a pointer, its references followed; references of the bundle are known to end. */
export function follow(
  contract: Contract,
  from: string,
): { readonly pointer: string; readonly node: Json | undefined } {
  let pointer = from;
  for (let hops = 0; hops < 100; hops += 1) {
    const node = contract.at(pointer);
    if (!isObject(node) || typeof node.$ref !== 'string') return { pointer, node };
    pointer = decodeURIComponent(node.$ref.slice(1));
  }
  return { pointer, node: undefined };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
