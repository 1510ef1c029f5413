import type { Contract, Json } from './contract.ts';
import { isObject } from './facts.ts';
import { joinPointer, parseFragment } from './pointer.ts';

/** Maximum of each limited field of an object, per currency (`x-maximum-by-currency`). */
export type Maxima = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A field above its maximum. */
export interface Excess {
  readonly field: string;
  /** The maximum that it exceeds: of the currency, or the highest of all where none is known. */
  readonly maximum: number;
}

/** What limits the fields of the object at a pointer of a schema, references followed; null where nothing does. */
export function maximaOf(contract: Contract, schemaPointer: string): Maxima | null {
  const maxima: Record<string, Readonly<Record<string, number>>> = {};
  for (const { field, pointer } of limitedFieldsOf(contract, schemaPointer)) {
    const byCurrency = contract.at(pointer);
    const entries = isObject(byCurrency) ? Object.entries(byCurrency) : [];
    maxima[field] = Object.fromEntries(
      entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  }
  return Object.keys(maxima).length > 0 ? maxima : null;
}

/** The limited fields of the object at a pointer of a schema, and where each limit stands. */
export function limitedFieldsOf(contract: Contract, schemaPointer: string): { field: string; pointer: string }[] {
  return objectsAt(contract, schemaPointer).flatMap((schema) => {
    const properties = joinPointer(schema, 'properties');
    const node = contract.at(properties);
    return Object.entries(isObject(node) ? node : {}).flatMap(([field, property]) =>
      isObject(property) && isObject(property['x-maximum-by-currency'])
        ? [{ field, pointer: joinPointer(properties, field, 'x-maximum-by-currency') }]
        : [],
    );
  });
}

/**
 * Fields of a body that are above their maximum. With a currency its maximum counts, and a currency without one has none; where no
 * currency is known, only a value that no currency admits is too high.
 */
export function excessesOf(maxima: Maxima | null, body: unknown, currency: string | null): Excess[] {
  if (maxima === null || typeof body !== 'object' || body === null) return [];
  return Object.entries(maxima).flatMap(([field, byCurrency]): Excess[] => {
    const value = Object.hasOwn(body, field) ? (body as Readonly<Record<string, unknown>>)[field] : undefined;
    const maximum = maximumOf(byCurrency, currency);
    return typeof value === 'number' && maximum !== undefined && value > maximum ? [{ field, maximum }] : [];
  });
}

function maximumOf(byCurrency: Readonly<Record<string, number>>, currency: string | null): number | undefined {
  if (currency === null) return Math.max(...Object.values(byCurrency));
  return Object.hasOwn(byCurrency, currency) ? byCurrency[currency] : undefined;
}

/** Currencies for which some field has a maximum, in the order of the document. */
export function currenciesOf(maxima: Maxima | null): string[] {
  return [...new Set(Object.values(maxima ?? {}).flatMap((byCurrency) => Object.keys(byCurrency)))];
}

/** The schemas that together describe the object at a pointer: the one that it refers to, and all of an `allOf`. */
export function objectsAt(contract: Contract, pointer: string, depth = 0): string[] {
  const node: Json | undefined = contract.at(pointer);
  if (!isObject(node) || depth > 16) return [];
  const target = typeof node.$ref === 'string' ? parseFragment(node.$ref.replace(/^#/, '')) : null;
  const parts = Array.isArray(node.allOf) ? node.allOf.map((_, index) => joinPointer(pointer, 'allOf', index)) : [];
  const others = target === null ? parts : [joinPointer('', ...target), ...parts];
  return [pointer, ...others.flatMap((other) => objectsAt(contract, other, depth + 1))];
}
