import { isObject, type Json } from '../schema/json.ts';
import { remembered } from '../schema/schema-document.ts';
import type { Contract } from './contract.ts';

const WORD = 'x-secret';
const NAMING = new Set(['properties', 'headers']);

/** Names that a contract adds to the redacted fields, parameters and headers: `x-secret: true`, and those of API keys. */
export function secretNames(contract: Contract): readonly string[] {
  return namesOf(contract, '');
}

const namesOf = remembered((contract: Contract) => [...new Set(namesIn(contract, contract.document, null))]);

function namesIn(contract: Contract, node: Json, name: string | null): string[] {
  if (Array.isArray(node)) return node.flatMap((item: Json) => namesIn(contract, item, null));
  if (!isObject(node)) return [];
  const own = typeof node.in === 'string' && typeof node.name === 'string' ? node.name : name;
  const below = Object.entries(node).flatMap(([key, child]) =>
    NAMING.has(key) && isObject(child)
      ? Object.entries(child).flatMap(([field, schema]) => namesIn(contract, schema, field))
      : // a schema, or the target of its reference, also marks its parameter or header
        namesIn(contract, child, key === 'schema' ? own : null),
  );
  return own !== null && isSecret(contract, node) ? [own, ...below] : below;
}

function isSecret(contract: Contract, node: Json | undefined, depth = 0): boolean {
  if (!isObject(node) || depth > 16) return false;
  if (node[WORD] === true || node.type === 'apiKey') return true;
  return (
    typeof node.$ref === 'string' && isSecret(contract, contract.at(decodeURIComponent(node.$ref.slice(1))), depth + 1)
  );
}
