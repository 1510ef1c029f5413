/**
 * A schema of the types and fields of an answer, at any depth. Items of a list share one schema. One answer does not
 * show which members may be null, so each may be. For an answer that is not JSON, the schema accepts everything.
 */
export function shapeOf(answer: unknown): object {
  return typeof answer === 'object' ? schemaOf([answer]) : {};
}

/** One schema for values of the same place. It has no alternatives, so a failure names the field. */
function schemaOf(all: readonly unknown[]): object {
  const values = all.filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return {};
  const types = new Set(values.map((value) => (Array.isArray(value) ? 'array' : typeof value)));
  const objects = values.filter((value) => typeof value === 'object' && !Array.isArray(value)) as Members[];
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  const members = [...names].map((name) => [name, schemaOf(objects.map((object) => object[name]))]);
  return {
    type: [...types, 'null'],
    ...(objects.length > 0 && { properties: Object.fromEntries(members) }),
    ...(types.has('array') && { items: schemaOf(values.filter(Array.isArray).flat()) }),
  };
}

type Members = Readonly<Record<string, unknown>>;
