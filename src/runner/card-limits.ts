import type { Contract, Json, JsonObject } from '../spec/contract.ts';

/** Maxima of the limit fields of Issue new card, per field and currency (API reference, Limits). */
export function cardLimits(contract: Contract): Record<string, Record<string, number>> {
  const properties = contract.at('/components/schemas/IssueNewCardRequest/properties');
  if (!isObject(properties)) return {};
  const limits: Record<string, Record<string, number>> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const maxima = isObject(schema) ? schema['x-maximum-by-currency'] : undefined;
    if (!isObject(maxima)) continue;
    limits[name] = Object.fromEntries(
      Object.entries(maxima).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  }
  return limits;
}

function isObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
