import type { Contract, Json, Operation } from '../contract/contract.ts';
import { objectsAt } from '../contract/limits.ts';
import { isObject } from '../contract/schema-facts.ts';
import { isJsonType } from '../model/media.ts';
import { joinPointer } from '../pointer.ts';

/**
 * The JSON body of a good request: the contract's own example, else an object of the ids that its schema names and that are known.
 * Nothing is invented; undefined where the operation has no JSON body.
 *
 * @param known values that a request may need besides its path: what a thing is made for, in which currency
 */
export function bodyFor(
  contract: Contract,
  operation: Operation,
  known: Readonly<Record<string, string>>,
): Json | undefined {
  const media = operation.requestBody?.content.find(({ type }) => isJsonType(type));
  if (media === undefined) return undefined;
  const node = contract.at(media.pointer);
  if (isObject(node)) {
    if (node.example !== undefined) return node.example;
    const [name] = Object.keys(isObject(node.examples) ? node.examples : {});
    const places = name === undefined ? [] : objectsAt(contract, joinPointer(media.pointer, 'examples', name));
    for (const place of places) {
      const value = contract.at(joinPointer(place, 'value'));
      if (value !== undefined) return value;
    }
  }
  const named = propertiesOf(contract, joinPointer(media.pointer, 'schema')).filter((name) =>
    Object.hasOwn(known, name),
  );
  return Object.fromEntries(named.map((name) => [name, known[name] ?? '']));
}

/** Names of the properties that the schema at a pointer gives at its top level, references followed. */
export function propertiesOf(contract: Contract, schema: string): string[] {
  return objectsAt(contract, schema).flatMap((place) => {
    const properties = contract.at(joinPointer(place, 'properties'));
    return Object.keys(isObject(properties) ? properties : {});
  });
}
