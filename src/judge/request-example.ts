import type { Contract, Media, Operation } from '../contract/contract.ts';
import { writtenExamples } from '../contract/written-examples.ts';
import { isJsonType } from '../model/media.ts';
import type { Json } from '../schema/json.ts';

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
  return media && writtenExamples(contract, media.pointer)[0]?.value;
}
