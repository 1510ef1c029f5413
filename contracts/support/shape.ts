/**
 * A schema of the types and fields of an answer, at any depth. Items of a list share one schema. One answer does not
 * show which members may be null, so each may be. For an answer that is not JSON, the schema accepts everything.
 */
export function shapeOf(answer: unknown): object {
  return typeof answer === 'object' ? schemaOf(answer) : {};
}

function schemaOf(value: unknown): object {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: ['array', 'null'], items: anyOf(value) };
  if (typeof value !== 'object') return { type: [typeof value, 'null'] };
  const properties = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, schemaOf(member)]));
  return { type: ['object', 'null'], properties };
}

function anyOf(items: readonly unknown[]): object {
  const schemas = new Map(items.map((item) => [JSON.stringify(schemaOf(item)), schemaOf(item)]));
  const [only = {}, ...others] = schemas.values();
  return others.length === 0 ? only : { anyOf: [only, ...others] };
}
