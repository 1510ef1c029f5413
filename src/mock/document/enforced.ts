import { memberAt, truthOf } from '../../contract/conditions.ts';
import { byCurrency, type Maxima } from '../../contract/limits.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Entities } from '../state/entities.ts';
import { createRefusals } from '../state/refusals.ts';
import type { ShownTenant } from './samples.ts';

/** Rules that the mock enforces on a request beyond the contract's schemas, as JSON Schema. */
export interface Enforced {
  /** Alternatives: a valid body satisfies one of them. Empty if nothing is added. */
  readonly body: readonly Narrowing[];
  /** By parameter name. */
  readonly path: Readonly<Record<string, JsonObject>>;
}

/** Schemas for members of a body, in addition to their own. */
export interface Narrowing {
  readonly title?: string;
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

/** The maximum for each currency, and the allowed keys of a table in the seed. */
export function enforcedIn(operationId: string, { parts, seed, profile, stateless }: ShownTenant): Enforced {
  const { file, kinds, operations }: Entities = parts.entities;
  const { create, set, table = '', by = '', refuses, takes = [] } = operations[operationId] ?? {};
  const keys = Object.keys(Object(memberAt(seed, table)));
  const isRefused =
    refuses !== undefined &&
    createRefusals(file).names(refuses, profile) &&
    !(stateless && file.refusals?.[refuses]?.assumed);
  if (isRefused && keys.length > 0) {
    const isKey = { enum: keys };
    return { body: takes.includes(by) ? [{ properties: { [by]: isKey } }] : [], path: { [by]: isKey } };
  }
  const { maxima: all, conditions = {} } = kinds[create ?? set ?? ''] ?? {};
  const isTaken = (field: string): boolean =>
    takes.includes(field) && truthOf(file.conditions?.[conditions[field] ?? ''], { profile }) !== false;
  const limited = Object.entries(all ?? {}).filter(([field]) => isTaken(field));
  if (limited.length === 0) return { body: [], path: {} };
  const currency = file.limits?.currency ?? '';
  return { body: maxima(Object.fromEntries(limited), takes.includes(currency) ? currency : undefined), path: {} };
}

/** Without a currency field, the highest maximum applies: only the mock knows the currency of the record. */
function maxima(limits: Maxima, currency: string | undefined): readonly Narrowing[] {
  const among = (most: Readonly<Record<string, number>>): Narrowing['properties'] =>
    Object.fromEntries(Object.entries(most).map(([field, maximum]) => [field, { maximum }]));
  const highest = Object.entries(limits).map(([field, most]) => [field, Math.max(...Object.values(most))] as const);
  if (currency === undefined) return [{ properties: among(Object.fromEntries(highest)) }];
  const named = Object.entries(byCurrency(limits));
  const others = { not: { enum: named.map(([one]) => one) } };
  return [
    ...named.map(([one, most]) => ({ title: one, properties: { [currency]: { enum: [one] }, ...among(most) } })),
    { title: `any other ${currency}`, properties: { [currency]: others }, required: [currency] },
  ];
}
