import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { FileSchema } from '../../src/files/schema.ts';
import { isObject } from '../../src/schema/json.ts';

/** The type of a file from its published schema, the only place that describes its members. */
export async function typesOf(published: FileSchema, name: string): Promise<string> {
  const { title, $id, ...root } = typeable(published, published.$defs as FileSchema) as JSONSchema;
  const types = await compile(root, name, {
    additionalProperties: false,
    bannerComment: '',
    style: { singleQuote: true, printWidth: 120 },
  });
  return types
    .replace(/^( +)(?=(?:\w+|\[k: string\])\??:)/gm, '$1readonly ')
    .replace(/(\w+|\([^()]+\)|\{\})\[\]/g, 'readonly $1[]');
}

/**
 * A schema in the form of a hand-written type. Drops alternatives of required members and list sizes, merges both
 * branches of a condition, and inlines unnamed parts.
 */
function typeable(schema: unknown, named: FileSchema): unknown {
  if (Array.isArray(schema)) return schema.map((each) => typeable(each, named));
  if (!isObject(schema)) return schema;
  const { anyOf, oneOf, minItems, maxItems, if: condition, then: holds, else: fails, ...rest } = schema;
  const referred = typeof rest.$ref === 'string' ? named[rest.$ref.replace('#/$defs/', '')] : undefined;
  if (isObject(referred) && referred.title === undefined) {
    const { $ref, ...beside } = rest;
    return typeable({ ...referred, ...beside }, named);
  }
  if (Object.keys(rest).join() === 'description') return { ...rest, tsType: 'unknown' };
  const size = minItems !== undefined && minItems === maxItems ? { minItems, maxItems } : {};
  const ways = [holds, fails].flatMap((way) => (isObject(way) ? Object.entries(way.properties ?? {}) : []));
  const either = ways.length > 0 ? { properties: Object.fromEntries(ways), additionalProperties: true } : {};
  return Object.fromEntries(
    Object.entries({ ...rest, ...size, ...either }).map(([key, value]) => [
      key,
      // its keys are names, not keywords
      key === 'properties' && isObject(value) ? mapValues(value, named) : typeable(value, named),
    ]),
  );
}

function mapValues(properties: object, named: FileSchema): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, typeable(schema, named)]));
}
