import { isJsonType } from '../drift/media.ts';
import type { Contract, Json, JsonObject, Operation } from '../spec/contract.ts';
import { joinPointer, parseFragment } from '../spec/pointer.ts';

/** Values that a request may need besides its path: what a thing is made for, in which currency. */
export type KnownValues = Readonly<Record<string, string>>;

/**
 * The JSON body of a good request: the contract's own example, else an object of the ids that its schema names and that are known.
 * Nothing is invented; undefined where the operation has no JSON body.
 */
export function bodyFor(contract: Contract, operation: Operation, known: KnownValues): Json | undefined {
  const media = operation.requestBody?.content.find(({ type }) => isJsonType(type));
  if (media === undefined) return undefined;
  const node = contract.at(media.pointer);
  if (isObject(node)) {
    if (node.example !== undefined) return node.example;
    const [first] = Object.values(isObject(node.examples) ? node.examples : {});
    const example = first === undefined ? undefined : follow(contract, first);
    if (isObject(example) && example.value !== undefined) return example.value;
  }
  const named = media.schema === undefined ? [] : propertiesOf(contract, media.schema);
  return Object.fromEntries(
    named.filter((name) => Object.hasOwn(known, name)).map((name) => [name, known[name] ?? '']),
  );
}

/** Names of the properties that a schema gives at its top level, references followed. */
export function propertiesOf(contract: Contract, schema: Json, depth = 0): string[] {
  const node = follow(contract, schema);
  if (!isObject(node) || depth > 8) return [];
  const own = isObject(node.properties) ? Object.keys(node.properties) : [];
  const parts = Array.isArray(node.allOf) ? (node.allOf as readonly Json[]) : [];
  return [...own, ...parts.flatMap((part) => propertiesOf(contract, part, depth + 1))];
}

function follow(contract: Contract, node: Json, depth = 0): Json | undefined {
  if (!isObject(node) || typeof node.$ref !== 'string' || depth > 8) return node;
  const tokens = parseFragment(node.$ref.replace(/^#/, ''));
  const target = tokens === null ? undefined : contract.at(joinPointer('', ...tokens));
  return target === undefined ? undefined : follow(contract, target, depth + 1);
}

function isObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
