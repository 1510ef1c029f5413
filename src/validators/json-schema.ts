/** Assertion keywords that draft 7 lacks. */
const NEW = [
  'prefixItems',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentRequired',
  'dependentSchemas',
  'minContains',
  'maxContains',
  '$dynamicRef',
  '$anchor',
];
/** The values of these keywords are data, not schemas. */
const DATA = ['const', 'enum', 'default', 'examples'];
const MAPS = ['properties', 'patternProperties', '$defs'];

/**
 * A copy of a published schema (2020-12) in the requested dialect (Standard JSON Schema).
 * @throws TypeError for an unknown dialect, or if draft 7 cannot express the schema
 */
export function jsonSchemaFor(schema: Readonly<Record<string, unknown>>, target: string): Record<string, unknown> {
  if (target === 'draft-2020-12') return structuredClone(schema) as Record<string, unknown>;
  if (target !== 'draft-07') throw new TypeError(`there is no JSON Schema for ${target}: draft-2020-12 or draft-07`);
  const older = olderOf(schema) as Record<string, unknown>;
  return { ...older, $schema: 'http://json-schema.org/draft-07/schema#' };
}

function olderOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(olderOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (NEW.includes(keyword)) throw new TypeError(`draft-07 has no ${keyword}: take draft-2020-12`);
    if (DATA.includes(keyword)) return [keyword, structuredClone(value)];
    if (MAPS.includes(keyword)) {
      const named = Object.entries(value as object).map(([name, inner]) => [name, olderOf(inner)]);
      return [keyword === '$defs' ? 'definitions' : keyword, Object.fromEntries(named)];
    }
    if (keyword === '$ref') return [keyword, String(value).replace(/^#\/\$defs\//, '#/definitions/')];
    return [keyword, olderOf(value)];
  });
  return Object.fromEntries(entries);
}
