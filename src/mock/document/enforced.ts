import { memberAt } from '../../contract/conditions.ts';
import type { JsonObject } from '../../contract/contract.ts';
import { byCurrency, type Maxima } from '../../contract/limits.ts';
import type { Entities } from '../state/entities.ts';
import { createRefusals } from '../state/refusals.ts';
import type { ShownTenant } from './samples.ts';

/** What of a request the mock enforces beyond the schemas of its contract, in words of JSON Schema. */
export interface Enforced {
  readonly body: JsonObject;
  /** By parameter. */
  readonly path: Readonly<Record<string, JsonObject>>;
}

/** The maximum of each currency, and the keys of a table that the mock shows. */
export function enforcedIn(operationId: string, { parts, seed, profile }: ShownTenant): Enforced {
  const { file, kinds, operations }: Entities = parts.entities;
  const { create = '', table = '', by = '', refuses, takes = [] } = operations[operationId] ?? {};
  const keys = Object.keys(Object(memberAt(seed, table)));
  if (refuses !== undefined && keys.length > 0 && createRefusals(file).names(refuses, profile)) {
    const isKey = { enum: keys };
    return { body: takes.includes(by) ? { properties: { [by]: isKey } } : {}, path: { [by]: isKey } };
  }
  const limited = Object.entries(kinds[create]?.maxima ?? {}).filter(([field]) => takes.includes(field));
  const currency = file.limits?.currency;
  const isLimited = limited.length > 0 && currency !== undefined && takes.includes(currency);
  return { body: isLimited ? maxima(Object.fromEntries(limited), currency) : {}, path: {} };
}

/** Without a currency, the highest maximum counts. */
function maxima(limits: Maxima, currency: string): JsonObject {
  const among = (most: Readonly<Record<string, number>>): JsonObject => ({
    properties: Object.fromEntries(Object.entries(most).map(([field, maximum]) => [field, { maximum }])),
  });
  const highest = Object.entries(limits).map(([field, most]) => [field, Math.max(...Object.values(most))] as const);
  const named = Object.entries(byCurrency(limits)).map(([one, most]) => ({
    if: { properties: { [currency]: { const: one } }, required: [currency] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: among(most),
  }));
  return { allOf: [...named, { anyOf: [{ required: [currency] }, among(Object.fromEntries(highest))] }] };
}
