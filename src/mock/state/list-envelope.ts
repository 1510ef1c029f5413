import type { Contract, Json, Media } from '../../contract/contract.ts';
import { factsOf, isObject, type SchemaFacts } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { type Envelope, type EnvelopePart, MEMBERS, unknownWord, wordAt } from './lists.ts';

/** An overlay that makes an object of an assumed array may leave the `items` of that array behind. */
function arrayOrObject(
  contract: Contract,
  pointers: readonly string[],
): Pick<SchemaFacts, 'items' | 'properties' | 'types'> {
  const facts = factsOf(contract, pointers);
  return facts.types.length > 0 && !facts.types.includes('array') ? { ...facts, items: [] } : facts;
}

/** Pointers of the schemas of one record: the items of an array, or of the only array in an object. Empty if there is no such array. */
export function itemsAt(contract: Contract, pointers: readonly string[], depth = 0): readonly string[] {
  const { items, properties } = arrayOrObject(contract, pointers);
  if (items.length > 0 || depth > 2) return items;
  const found = [...properties.values()]
    .map((its) => itemsAt(contract, its, depth + 1))
    .filter((one) => one.length > 0);
  return found.length === 1 ? (found[0] ?? []) : [];
}

/** The object around a list; null if the answer is an array, or an object without exactly one array. */
export function envelopeOf(contract: Contract, { pointer }: Media): Envelope | null {
  const schema = [joinPointer(pointer, 'schema')];
  const { items } = arrayOrObject(contract, schema);
  return items.length > 0 || itemsAt(contract, schema).length === 0 ? null : membersOf(contract, schema, 0);
}

function membersOf(contract: Contract, pointers: readonly string[], depth: number): Envelope {
  const { properties, required } = factsOf(contract, pointers);
  const parts = [...properties].map(([name, its]) => [name, partOf(contract, its, required.has(name), depth)] as const);
  return Object.fromEntries(parts.flatMap(([name, part]) => (part ? [[name, part]] : [])));
}

function partOf(
  contract: Contract,
  its: readonly string[],
  isRequired: boolean,
  depth: number,
): EnvelopePart | undefined {
  const { types, items, properties } = arrayOrObject(contract, its);
  if (items.length > 0) return { shows: 'items' };
  if (properties.size > 0) return depth < 2 ? { members: membersOf(contract, its, depth + 1) } : undefined;
  for (const pointer of its) {
    const said = wordAt(contract, pointer);
    const tells = MEMBERS.find((word) => word === said);
    if (said !== undefined && !tells) throw unknownWord(contract, pointer, said, MEMBERS.join(', '));
    const isText = types.includes('string') && !types.some((type) => type === 'integer' || type === 'number');
    if (tells) return { tells, isText, isNullable: types.includes('null'), isRequired };
  }
  const is = isRequired ? constantAt(contract, its) : undefined;
  return is === undefined ? undefined : { is };
}

function constantAt(contract: Contract, pointers: readonly string[]): Json | undefined {
  for (const pointer of pointers) {
    const node = contract.at(pointer);
    if (!isObject(node)) continue;
    const [example] = Array.isArray(node.examples) ? (node.examples as readonly Json[]) : [];
    const [first] = Array.isArray(node.enum) ? (node.enum as readonly Json[]) : [];
    const value = [node.const, node.default, node.example, example, first].find((one) => one !== undefined);
    if (value !== undefined) return value;
  }
  return undefined;
}
