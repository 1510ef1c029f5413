import type { Contract, JsonObject, Operation } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import { secretNames } from '../contract/secrets.ts';
import { namedFields } from '../judge/fields.ts';
import { compare } from '../judge/findings.ts';
import { itemSchema, jsonOf } from '../judge/responses.ts';
import { countOf, type Shape } from '../judge/shape.ts';
import { is2xx } from '../model/exchange.ts';
import { formatFragment, joinPointer, parsePointer } from '../pointer.ts';
import { createKeys } from '../redact/keys.ts';
import { documentedAt, type ItemPlace, OBSERVED, type SchemaOptions, schemaOf } from './schema.ts';
import type { Sightings, StatusSeen } from './sightings.ts';

export interface LearnOptions {
  /** True of a key that is a value: an id of the run, or what redaction would change. */
  readonly isValue?: (key: string) => boolean;
  readonly enums?: boolean;
}

/** One action of a recording, about one operation. */
export interface RecordedAction {
  readonly operationId: string;
  readonly target: string;
  readonly description: string;
  readonly update: JsonObject;
}

/**
 * The actions of a recording, in the order of the contract. An operation whose place is only assumed is not recorded: the place would
 * be taken for known.
 */
export function learnActions(contract: Contract, sightings: Sightings, options: LearnOptions = {}): RecordedAction[] {
  const isSecret = createKeys(secretNames(contract)).isSensitive;
  const schemaOptions = {
    contract,
    isValue: options.isValue ?? (() => false),
    enums: options.enums ?? false,
    isSecret,
  };
  return contract.operations.flatMap((operation): RecordedAction[] => {
    const statuses = sightings.get(operation.operationId);
    const target = targetOf(operation);
    if (statuses === undefined || target === null || operation.located === 'assumed') return [];
    const responses = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, seen]): [string, JsonObject] => [
        String(status),
        responseOf(operation, status, seen, schemaOptions),
      ]);
    const { operationId, summary } = operation;
    const description = summary === operationId ? operationId : `${summary} (${operationId})`;
    return [{ operationId, target, description, update: { responses: Object.fromEntries(responses) } }];
  });
}

/** JSONPath of a located operation, or null. */
export function targetOf({ path, method }: Operation): string | null {
  if (path === null || method === null) return null;
  return `$.paths['${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'].${method.toLowerCase()}`;
}

function responseOf(operation: Operation, status: number, seen: StatusSeen, options: SchemaOptions): JsonObject {
  const exact = operation.responses.some((response) => response.status === String(status));
  const content = [...seen.bodies]
    .sort(([a], [b]) => compare(a, b))
    .map(([type, shape]): [string, JsonObject] => [
      type,
      shape === null ? {} : mediaOf(operation, status, shape, options),
    ]);
  return {
    // what is documented of the status stays as it is
    ...(exact ? {} : { description: OBSERVED }),
    'x-samples': seen.samples,
    ...(seen.empty > 0 && seen.empty < seen.samples ? { 'x-sometimes-empty': true } : {}),
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
  };
}

function mediaOf(operation: Operation, status: number, shape: Shape, options: SchemaOptions): JsonObject {
  const { contract } = options;
  const range = `${Math.floor(status / 100)}XX`;
  const exact = schemaPointer(contract, operation, String(status));
  const ranged = schemaPointer(contract, operation, range);
  const documented = [exact, ranged].filter((pointer) => pointer !== null);
  const known = documentedAt(contract, documented);
  const item = is2xx(status) ? itemPlace(contract, operation, shape) : undefined;
  const own = schemaOf(shape, known, { ...options, item });
  const empty = Object.keys(own).length === 0;
  if (exact !== null) {
    if (empty) return {};
    const there = contract.at(exact);
    return { schema: isObject(there) && typeof there.$ref === 'string' ? { allOf: [own] } : own };
  }
  // A code of its own hides the range: what is documented for the range is said again by reference.
  const ref = ranged === null || isNameOnly(contract, operation) ? null : referTo(contract, ranged);
  if (ref === null) return { schema: own };
  return { schema: empty ? { $ref: ref } : { allOf: [{ $ref: ref }, own] } };
}

/** Pointer of the documented JSON schema of a status, or null. */
function schemaPointer(contract: Contract, operation: Operation, status: string): string | null {
  const response = operation.responses.find((candidate) => candidate.status === status);
  const media = jsonOf(response);
  if (media === undefined) return null;
  const pointer = joinPointer(media.pointer, 'schema');
  return contract.provenanceOf(pointer) === 'documented' ? pointer : null;
}

/** A list in a body. */
interface List {
  readonly at: string;
  readonly items: Shape;
  /** At the top, or the only list of the top: where the contract finds it by itself. */
  readonly plain: boolean;
}

/**
 * Where the items of a list stand whose envelope the reference does not show: the top-level array, the only one in an object, else the
 * one list whose items share most of the documented fields. Undefined where that cannot be told.
 */
function itemPlace(contract: Contract, operation: Operation, body: Shape): ItemPlace | undefined {
  const pointer = itemSchema(contract, operation);
  if (pointer === null) return undefined;
  const documented = namedFields(contract, pointer, '').filter(({ at }) => at.lastIndexOf('/') === 0);
  const names = documented.map(({ at }) => at.slice(1));
  const lists = [...listsIn(body, '', true)];
  const scored = lists
    .map((list) => ({ list, score: names.filter((name) => list.items.fields.has(name)).length }))
    .sort((a, b) => b.score - a.score);
  const [first, second] = scored;
  const plain = lists.find((list) => list.plain);
  const best =
    plain ?? (first !== undefined && first.score > 0 && first.score !== second?.score ? first.list : undefined);
  if (best === undefined) return undefined;
  const byLoader = isNameOnly(contract, operation) && best.plain;
  return {
    at: `${best.at}/*`,
    known: documentedAt(contract, [pointer]),
    ref: byLoader ? null : referTo(contract, pointer),
  };
}

function* listsIn(shape: Shape, at: string, top: boolean): Iterable<List> {
  if (shape.items !== null && countOf(shape, 'array') > 0) yield { at, items: shape.items, plain: at === '' };
  const fields = [...shape.fields].filter(([, field]) => countOf(field, 'array') > 0);
  const only = top && fields.length === 1 ? fields[0]?.[0] : undefined;
  for (const [name, field] of shape.fields) {
    for (const list of listsIn(field, joinPointer(at, name), false)) {
      yield name === only && list.at === joinPointer(at, name) ? { ...list, plain: true } : list;
    }
  }
}

/** True of an operation whose documented fields the loader merges into what an overlay shows of it. */
function isNameOnly(contract: Contract, operation: Operation): boolean {
  return contract.at(joinPointer('', 'components', 'pathItems', operation.operationId)) !== undefined;
}

/** Reference to a schema of the bundle: what it refers to itself, where it does. */
function referTo(contract: Contract, pointer: string): string {
  const schema = contract.at(pointer);
  if (isObject(schema) && typeof schema.$ref === 'string') return schema.$ref;
  return formatFragment(parsePointer(pointer) ?? []);
}
