import type { Contract, Json, JsonObject } from '../spec/contract.ts';
import { joinPointer, parseFragment } from '../spec/pointer.ts';
import type { Observation } from './rule.ts';

type LimitBreak = Pick<Observation, 'pointer' | 'expected' | 'actual' | 'severity' | 'detail'> & {
  readonly source: string;
};

/**
 * Fields beyond their documented maximum per currency (API reference, Limits). No currency field is documented: where the body has
 * one that names a currency it decides; without one a value above the maxima of all currencies is worth a warning.
 */
export function findLimitBreaks(contract: Contract, schemaPointer: string, body: Json): LimitBreak[] {
  if (!isObject(body)) return [];
  const schema = resolve(contract, schemaPointer);
  const properties = contract.at(joinPointer(schema, 'properties'));
  if (!isObject(properties)) return [];
  const currency = typeof body.currency === 'string' ? body.currency.toUpperCase() : null;
  return Object.entries(properties).flatMap(([name, property]): LimitBreak[] => {
    const maxima = isObject(property) ? property['x-maximum-by-currency'] : undefined;
    const value = body[name];
    if (!isObject(maxima) || typeof value !== 'number') return [];
    const about = {
      pointer: joinPointer('', name),
      actual: 'more',
      source: joinPointer(schema, 'properties', name, 'x-maximum-by-currency'),
    };
    if (currency !== null) {
      const maximum = Object.hasOwn(maxima, currency) ? maxima[currency] : undefined;
      if (typeof maximum !== 'number' || value <= maximum) return [];
      return [{ ...about, expected: `at most ${currency} ${maximum}`, severity: 'error' }];
    }
    const known = Object.entries(maxima).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    if (known.length === 0 || value <= Math.max(...known.map(([, maximum]) => maximum))) return [];
    return [
      {
        ...about,
        expected: `at most ${known.map(([code, maximum]) => `${code} ${maximum}`).join(', ')}`,
        severity: 'warning',
        detail: 'The request names no currency; it is above the maximum of each that has one.',
      },
    ];
  });
}

function resolve(contract: Contract, pointer: string): string {
  let at = pointer;
  for (let hops = 0; hops < 10; hops++) {
    const node = contract.at(at);
    const reference = isObject(node) ? node.$ref : undefined;
    const tokens = typeof reference === 'string' ? parseFragment(reference.replace(/^#/, '')) : null;
    if (tokens === null) return at;
    at = joinPointer('', ...tokens);
  }
  return at;
}

function isObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
