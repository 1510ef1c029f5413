import type { Contract, JsonObject, Schema } from './contract.ts';
import { joinPointer, parseFragment } from './pointer.ts';

/** A schema that is no reference, and its pointer in the bundle. */
export interface EffectiveSchema {
  readonly schema: Schema;
  readonly pointer: string;
}

/** Pointer that an internal reference (`#/components/…`) names; undefined for another text. */
export function pointerOfReference(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  const tokens = parseFragment(reference.slice(1));
  return tokens ? joinPointer('', ...tokens) : undefined;
}

/**
 * Follows the reference that a schema is. A reference with other keywords beside it is left as it is: they hold as well.
 * @param pointer Pointer of the schema in the bundle.
 */
export function effectiveSchema(contract: Contract, schema: Schema, pointer: string): EffectiveSchema {
  let at: EffectiveSchema = { schema, pointer };
  for (;;) {
    const reference = typeof at.schema === 'boolean' ? undefined : at.schema.$ref;
    if (typeof reference !== 'string' || !isBareReference(at.schema as JsonObject)) return at;
    const target = pointerOfReference(reference);
    const value = target === undefined ? undefined : contract.at(target);
    if (target === undefined || value === undefined) return at;
    at = { schema: value as Schema, pointer: target };
  }
}

/** True of a reference beside which there are annotations at most. */
function isBareReference(schema: JsonObject): boolean {
  const annotations = [
    '$ref',
    'title',
    'description',
    'deprecated',
    'readOnly',
    'writeOnly',
    '$comment',
    'example',
    'examples',
    'default',
  ];
  return Object.keys(schema).every((key) => annotations.includes(key) || key.startsWith('x-'));
}
