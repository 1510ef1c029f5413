import type { FactGroup, FactMember } from '../contract/contract-file.ts';
import { ownFolder } from '../contract/folder.ts';
import type { JsonSchema } from '../files/schema.ts';

/** The published schema of a configuration, which is that of the package's own contract, with the facts of another. */
export function configSchema(published: JsonSchema, groups: Readonly<Record<string, FactGroup>>): JsonSchema {
  const properties = Object.entries(published.properties ?? {}).filter(
    ([key]) => !Object.hasOwn(ownFolder.facts, key) && !Object.hasOwn(groups, key),
  );
  const facts = Object.entries(groups).map(([key, group]) => [key, factSchema(group)]);
  return { ...published, properties: Object.fromEntries([...properties, ...facts]) };
}

/** What a configuration may state of one record. */
export function factSchema({ of, members }: FactGroup): JsonSchema {
  return {
    description: `What is so of the record in parameters.${of}; the reference has no field that says it. Checks that need to know are skipped without it.`,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, memberSchema(member)])),
  };
}

function memberSchema({ type, role }: FactMember): JsonSchema {
  if (type !== 'string') return { type };
  return role === 'currency' ? { type, pattern: '^[A-Z]{3}$' } : { type, minLength: 1 };
}
