import type { Contract, Media, Operation } from '../contract/contract.ts';
import { isJsonType } from '../model/media.ts';
import type { Json } from '../schema/json.ts';
import { isObject } from '../schema/json.ts';
import { factsOf } from '../schema/schema-facts.ts';
import { joinPointer } from '../text/pointer.ts';

export function jsonBodyOf({ requestBody }: Operation): Media | undefined {
  return requestBody?.content.find(({ type }) => isJsonType(type));
}

/** The request body of an operation, JSON if possible. */
export function bodyOf(operation: Operation): Media | undefined {
  return jsonBodyOf(operation) ?? operation.requestBody?.content[0];
}

export function exampleOf(
  contract: Contract,
  operation: Operation,
  media: Media | undefined = jsonBodyOf(operation),
): Json | undefined {
  const node = media === undefined ? undefined : contract.at(media.pointer);
  if (media === undefined || !isObject(node)) return undefined;
  if (node.example !== undefined) return node.example;
  const [name] = Object.keys(isObject(node.examples) ? node.examples : {});
  return name === undefined
    ? undefined
    : factsOf(contract, [joinPointer(media.pointer, 'examples', name)]).stated('value')?.value;
}
