import { isObject, type Json, objectOf } from '../schema/json.ts';
import { factsOf } from '../schema/schema-facts.ts';
import type { Contract } from './contract.ts';

const WORD = 'x-maximum-by-currency';

/** Maximum of each limited field of an object, per currency (`x-maximum-by-currency`). */
export type Maxima = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function maximaOf(contract: Contract, schemaPointer: string): Maxima | null {
  const fields = fieldsWith(contract, WORD, schemaPointer).map(
    ({ field, value }) => [field, readMaxima(value)] as const,
  );
  const limited = fields.filter((entry): entry is [string, Readonly<Record<string, number>>] => entry[1] !== null);
  return limited.length === 0 ? null : Object.fromEntries(limited);
}

/** Pointer of the maximum of a field. */
export function limitAt(contract: Contract, schemaPointer: string, field: string): string | undefined {
  return fieldsWith(contract, WORD, schemaPointer).find((one) => one.field === field)?.pointer;
}

export function maximaIn(schema: Json): Readonly<Record<string, number>> | null {
  return isObject(schema) ? readMaxima(schema[WORD]) : null;
}

function readMaxima(value: Json | undefined): Readonly<Record<string, number>> | null {
  const entries = Object.entries(objectOf(value));
  const maxima = entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return maxima.length > 0 ? Object.fromEntries(maxima) : null;
}

/** A currency without a stated maximum has no limit. If the currency is unknown, the value must exceed all maxima. */
export function excessesOf(maxima: Maxima | null, body: unknown, currency: string | null) {
  if (maxima === null || typeof body !== 'object' || body === null) return [];
  const excesses: { readonly field: string; readonly maximum: number }[] = [];
  for (const field in maxima) {
    const value = Object.hasOwn(body, field) ? (body as Readonly<Record<string, unknown>>)[field] : undefined;
    if (typeof value !== 'number') continue;
    const maximum = maximumOf(maxima[field] ?? {}, currency);
    if (maximum !== undefined && value > maximum) excesses.push({ field, maximum });
  }
  return excesses;
}

function maximumOf(byCurrency: Readonly<Record<string, number>>, currency: string | null): number | undefined {
  if (currency === null) return Math.max(...Object.values(byCurrency));
  return Object.hasOwn(byCurrency, currency) ? byCurrency[currency] : undefined;
}

export function byCurrency(maxima: Maxima | null): Maxima {
  const sorted: Record<string, Record<string, number>> = {};
  for (const [field, limits] of Object.entries(maxima ?? {})) {
    for (const [currency, maximum] of Object.entries(limits)) {
      sorted[currency] = { ...sorted[currency], [field]: maximum };
    }
  }
  return sorted;
}

/** The fields of an object with a word in their schemas. */
export function fieldsWith(contract: Contract, word: string, schemaPointer: string) {
  const node = factsOf(contract, [schemaPointer], { alternatives: 0 });
  return [...node.properties.keys()].flatMap((field) => {
    const stated = node.member(field).stated(word);
    return stated === undefined ? [] : [{ field, ...stated }];
  });
}
