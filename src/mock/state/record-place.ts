import type { Contract, Operation } from '../../contract/contract.ts';
import { describe, type SchemaFacts } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isJsonMedia } from '../message/call.ts';

/** A value in a body, such as a record or a list, and the names of the members that lead to it: none for the body. */
export interface BodyPlace {
  readonly names: readonly string[];
  readonly node: SchemaFacts;
}

/** How many objects may be around a record. */
const DEEPEST = 2;

/** A level with more places is not searched: a schema may contain itself many times. */
const MOST = 20_000;

/** The values in a body by their depth, the body itself first. Nothing in a leaf is visited. */
export function* levelsIn(
  body: SchemaFacts,
  deepest: number,
  isLeaf = (_: SchemaFacts): boolean => false,
): Generator<readonly BodyPlace[]> {
  let level: readonly BodyPlace[] = [{ names: [], node: body }];
  for (let depth = 0; depth <= deepest; depth += 1) {
    yield level;
    const inner = level.filter(({ node }) => !isLeaf(node));
    if (inner.reduce((sum, { node }) => sum + node.properties.size, 0) > MOST) return;
    level = inner.flatMap(({ names, node }) =>
      [...node.properties.keys()].map((name) => ({ names: [...names, name], node: node.member(name) })),
    );
  }
}

/**
 * The outermost object that is a record: the body itself, or `data` in `{ "data": { … } }`. Of several objects beside
 * each other, the one with the name of the kind. Undefined if there is no such object.
 */
export function recordPlace(
  body: SchemaFacts,
  isRecord: (node: SchemaFacts) => boolean,
  kind: string,
): BodyPlace | undefined {
  for (const level of levelsIn(body, DEEPEST)) {
    const found = level.filter(({ node }) => isRecord(node));
    const named = found.find(({ names }) => names.at(-1)?.toLowerCase() === kind.toLowerCase());
    if (found.length > 0) return named ?? (found.length === 1 ? found[0] : undefined);
  }
  return undefined;
}

/** The object in a request that has fields of a record, else the whole body. Undefined without a described body. */
export function requestBody(
  contract: Contract,
  { requestBody: body }: Operation,
  fields: readonly string[],
): BodyPlace | undefined {
  const media = body?.content.filter(({ schema }) => schema !== undefined) ?? [];
  const json = media.find(({ type }) => isJsonMedia(type)) ?? media[0];
  if (json === undefined) return undefined;
  const node = describe(contract, [joinPointer(json.pointer, 'schema')]);
  return recordPlace(node, ({ properties }) => fields.some((name) => properties.has(name)), '') ?? { names: [], node };
}
