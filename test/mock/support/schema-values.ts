import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a schema is looked into at many places
type Schema = any;

/** Values that match a schema: types, enums, patterns and bounds only. @param known values of members, by name */
export function valuesOf(
  schema: Schema,
  document: Schema,
  known: Readonly<Record<string, string>>,
): fc.Arbitrary<unknown> {
  const of = (given: Schema, name = ''): fc.Arbitrary<unknown> => {
    const { $ref, ...beside } = given;
    const one = $ref === undefined ? given : { ...document.components.schemas[$ref.split('/').at(-1)], ...beside };
    if (one.const !== undefined) return fc.constant(one.const);
    if (one.enum) return fc.constantFrom(...one.enum);
    if (one.type === 'object' || one.properties) return objectOf(one);
    if (one.type === 'array') return fc.array(of(one.items ?? {}), { maxLength: 2 });
    if (one.type === 'boolean') return fc.boolean();
    if (one.type === 'integer') return fc.integer(bounds(one));
    if (one.type === 'number') return fc.oneof(fc.integer(bounds(one)), fc.double({ ...bounds(one), noNaN: true }));
    const text = one.pattern ? fc.stringMatching(new RegExp(one.pattern)) : fc.string({ maxLength: 8 });
    return known[name] === undefined ? text : fc.oneof(text, fc.constant(known[name]));
  };
  const objectOf = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> =>
    fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, of(one, name)])), {
      requiredKeys: required,
      noNullPrototype: true,
    });
  return of(schema);
}

function bounds({ minimum, maximum, exclusiveMinimum }: Schema): { min: number; max: number } {
  return {
    min: minimum ?? (exclusiveMinimum === undefined ? -1_000_000 : exclusiveMinimum + 1),
    max: maximum ?? 1_000_000,
  };
}
