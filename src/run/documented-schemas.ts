import type { Contract } from '../contract/contract.ts';
import { isOfOther } from '../schema/direction.ts';
import { isObject, type Json, type JsonObject, listOf, objectOf } from '../schema/json.ts';
import { formatFragment, joinPointer, parsePointer, pointerOfReference } from '../text/pointer.ts';

const HOME = joinPointer('', 'components', 'schemas');

/**
 * The documented part of each schema under `components`, without the keywords that some validators reject. The judge
 * checks the rest: alternatives, formats, patterns and bounds. References lead to `$defs`, because schemas that refer
 * to each other have no end.
 */
export function documentedSchemas(contract: Contract): Record<string, JsonObject> {
  const isDocumented = (pointer: string): boolean => contract.provenanceOf(pointer) === 'documented';

  function partOf(pointer: string): JsonObject {
    const schema = contract.at(pointer);
    if (!isObject(schema) || !isDocumented(pointer)) return {};
    const at = (...path: readonly (string | number)[]): string => joinPointer(pointer, ...path);
    const stated = (word: string): Json | undefined => (isDocumented(at(word)) ? schema[word] : undefined);
    const required = listOf(stated('required')).filter(
      (name, index) =>
        isDocumented(at('required', index)) && !isOfOther(contract.document, pointer, String(name), 'response'),
    );
    const properties = Object.keys(objectOf(schema.properties))
      .filter((name) => isDocumented(at('properties', name)))
      .map((name) => [name, partOf(at('properties', name))] as const);
    const branches = listOf(stated('allOf')).map((_, index) => partOf(at('allOf', index)));
    const all = [...branches, ...referenceTo(stated('$ref'))];
    const words = ['type', 'enum', 'const'].map((word) => [word, stated(word)] as const);
    return {
      ...Object.fromEntries(words.filter((entry): entry is [string, Json] => entry[1] !== undefined)),
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      // the judge checks the items after a tuple
      ...(isObject(stated('items')) && stated('prefixItems') === undefined && { items: partOf(at('items')) }),
      ...(all.length > 0 && { allOf: all }),
    };
  }

  const names = Object.keys((contract.at(HOME) ?? {}) as object);
  return Object.fromEntries(names.map((name) => [name, partOf(joinPointer(HOME, name))]));
}

/** Empty for a reference to another place than a schema under `components`. */
function referenceTo(reference: Json | undefined): JsonObject[] {
  const pointer = typeof reference === 'string' ? pointerOfReference(reference) : undefined;
  const [name, ...deeper] = pointer?.startsWith(`${HOME}/`) ? (parsePointer(pointer.slice(HOME.length)) ?? []) : [];
  return name === undefined || deeper.length > 0 ? [] : [{ $ref: formatFragment(['$defs', name]) }];
}
