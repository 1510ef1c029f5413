import type { Contract } from '../contract/contract.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../schema/json.ts';
import { looksLikeCode } from '../schema/key-names.ts';
import { remembered } from '../schema/schema-document.ts';
import { factsOf } from '../schema/schema-facts.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { jsonOf } from './responses.ts';

/** A field of one record may be missing in the next one. */
const ENOUGH_RECORDS = 2;

/**
 * Whether the field of a recorded object is always there. All recorded objects of the same documented resource count.
 *
 * @param source pointer to its entry in `required`, or to its schema in `properties`
 */
export function isAlwaysThere(contract: Contract, source: string, name: string): boolean {
  const part = joinPointer('', ...(parsePointer(source) ?? []).slice(0, -2));
  const members = membersOf(contract, part);
  if (Object.keys(members).every(looksLikeCode) && looksLikeCode(name)) return false;
  const own = members[name];
  // Its documented condition may be false for other records.
  if (isObject(own) && own['x-always-there'] === true) return recordsAt(contract, part) >= ENOUGH_RECORDS;
  const alike = resources(contract).get(part);
  let records = 0;
  for (const pointer of alike ?? [part]) {
    const schema = contract.at(pointer);
    const { in: times, of = times } = numbersAt(contract, joinPointer(pointer, 'properties', name));
    if (times !== of) return false;
    const isRequired = isObject(schema) && listOf(schema.required).includes(name);
    if (isRequired) records = Math.max(records, recordsAt(contract, pointer));
  }
  return records >= ENOUGH_RECORDS || (alike === undefined && isListOfEnvelope(contract, part, name));
}

/** The least number of different objects behind a recorded schema. Without a number, a person wrote it. */
export function recordsAt(contract: Contract, part: string): number {
  const { records = Number.POSITIVE_INFINITY } = numbersAt(contract, part);
  const names = Object.keys(membersOf(contract, part));
  const all = names.map((name) => numbersAt(contract, joinPointer(part, 'properties', name)).of ?? 0);
  return Math.max(records, ...all);
}

function membersOf(contract: Contract, part: string): JsonObject {
  return objectOf(contract.at(joinPointer(part, 'properties')));
}

function numbersAt(contract: Contract, pointer: string): SeenNumbers {
  return numbersOf(contract.at(joinPointer(pointer, 'x-seen')));
}

type Count = 'in' | 'of' | 'values' | 'records' | 'keys';
export type SeenNumbers = Readonly<Partial<Record<Count, number>>> & { readonly form?: string };

/** The numbers of `x-seen`. A person may have written anything there. */
export function numbersOf(value: unknown): SeenNumbers {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).filter(([name, number]) =>
    name === 'form' ? typeof number === 'string' : Number.isSafeInteger(number) && Number(number) >= 0,
  );
  return Object.fromEntries(entries) as SeenNumbers;
}

/** An envelope is no record: its lists of objects are always there. */
function isListOfEnvelope(contract: Contract, part: string, name: string): boolean {
  if (/\/(?:items|additionalProperties)(?:\/|$)/.test(part.replace(/\/properties\/[^/]+/g, ''))) return false;
  const { items } = factsOf(contract, [joinPointer(part, 'properties', name)]);
  return items.length > 0 && factsOf(contract, items).properties.size > 0;
}

/** The recorded objects of each documented resource, by the pointer to each of them. */
const resources = remembered((contract: Contract): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  const visit = (pointers: readonly string[]): void => {
    const { parts, properties, items, others } = factsOf(contract, pointers, { known: true });
    const own = parts.filter(({ pointer }) => contract.provenanceOf(pointer) === 'observed');
    if (own.length === 0) return;
    for (const { pointer } of parts) {
      if (contract.provenanceOf(pointer) !== 'documented') continue;
      const alike = found.get(pointer) ?? new Set();
      for (const one of own) found.set(one.pointer, alike.add(one.pointer));
      found.set(pointer, alike);
    }
    for (const inner of [...properties.values(), items, others]) if (inner.length > 0) visit(inner);
  };
  const answers = contract.operations.flatMap(({ responses }) => responses);
  for (const media of answers.filter(({ status }) => status.startsWith('2')).flatMap((one) => jsonOf(one) ?? []))
    visit([joinPointer(media.pointer, 'schema')]);
  return found;
});
