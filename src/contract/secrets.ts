import { objectOf } from '../schema/json.ts';
import { partsAt } from '../schema/parts.ts';
import { remembered } from '../schema/schema-document.ts';
import { visitObjects } from '../schema/structure.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import type { Contract } from './contract.ts';

/** Names that a contract adds to the redacted fields, parameters and headers: `x-secret: true`, and those of API keys. */
export function secretNames(contract: Contract): readonly string[] {
  return namesOf(contract, '');
}

const namesOf = remembered((contract: Contract) => {
  const names = new Set<string>();
  const isSecret = (pointer: string): boolean =>
    partsAt(contract, [pointer]).some(({ schema }) => schema['x-secret'] === true);
  visitObjects(contract.document, (node, kind, pointer) => {
    const add = (name: unknown): unknown => typeof name === 'string' && names.add(name);
    const ofSchema = (): boolean => [pointer, joinPointer(pointer, 'schema')].some(isSecret);
    if (kind === 'securityScheme' && node.type === 'apiKey') add(node.name);
    // a schema also marks its parameter or header
    if (kind === 'parameter' && ofSchema()) add(node.name);
    if (kind === 'header' && ofSchema()) add(parsePointer(pointer)?.at(-1));
    for (const name of Object.keys(kind === 'schema' ? objectOf(node.properties) : {}))
      if (isSecret(joinPointer(pointer, 'properties', name))) add(name);
  });
  return [...names];
});
