import type { Contract, Operation } from '../contract/contract.ts';
import { itemSchema } from '../judge/responses.ts';
import { countOf } from '../judge/shape.ts';
import { isObject } from '../schema/json.ts';
import { describe } from '../schema/schema-facts.ts';
import { formatFragment, joinPointer, parsePointer } from '../text/pointer.ts';
import { documentedAt, type ItemPlace } from './documented.ts';
import type { ObservedShape } from './observed-shape.ts';

interface List {
  readonly at: string;
  readonly items: ObservedShape;
  readonly plain: boolean;
}

/** The top-level array, or an object's only array, or the array whose items share most documented fields. */
export function itemPlace(contract: Contract, operation: Operation, body: ObservedShape): ItemPlace | undefined {
  const pointer = itemSchema(contract, operation);
  if (pointer === null) return undefined;
  const names = [...describe(contract, [pointer]).properties.keys()];
  const lists = [...listsIn(body, '', true)];
  const scored = lists
    .map((list) => ({ list, score: names.filter((name) => list.items.fields.has(name)).length }))
    .sort((a, b) => b.score - a.score);
  const [first, second] = scored;
  const plain = lists.find((list) => list.plain);
  const best =
    plain ?? (first !== undefined && first.score > 0 && first.score !== second?.score ? first.list : undefined);
  if (best === undefined) return undefined;
  const byLoader = mergesByLoader(contract, operation) && best.plain;
  return {
    at: `${best.at}/*`,
    known: documentedAt(contract, [pointer]),
    ref: byLoader ? null : referTo(contract, pointer),
  };
}

function* listsIn(seen: ObservedShape, at: string, top: boolean): Iterable<List> {
  if (seen.items !== null && countOf(seen, 'array') > 0) yield { at, items: seen.items, plain: at === '' };
  const fields = [...seen.fields].filter(([, field]) => countOf(field, 'array') > 0);
  const only = top && fields.length === 1 ? fields[0]?.[0] : undefined;
  for (const [name, field] of seen.fields) {
    for (const list of listsIn(field, joinPointer(at, name), false)) {
      yield name === only && list.at === joinPointer(at, name) ? { ...list, plain: true } : list;
    }
  }
}

export function mergesByLoader(contract: Contract, operation: Operation): boolean {
  return contract.at(joinPointer('', 'components', 'pathItems', operation.operationId)) !== undefined;
}

export function referTo(contract: Contract, pointer: string): string {
  const schema = contract.at(pointer);
  if (isObject(schema) && typeof schema.$ref === 'string') return schema.$ref;
  return formatFragment(parsePointer(pointer) ?? []);
}
