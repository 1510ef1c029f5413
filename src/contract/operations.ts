import type { JsonObject } from '../schema/json.ts';
import { PROVENANCES, type Schema } from '../schema/schema-document.ts';
import { isMethod } from '../schema/structure.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { authOf } from './auth.ts';
import {
  EFFECTS,
  type Effect,
  type Media,
  type Method,
  type MethodChange,
  type Operation,
  type Parameter,
  type ResponseSpec,
  type Tenant,
} from './contract.ts';
import {
  childOf,
  entriesOf,
  faultAt,
  isMapping,
  type Key,
  type Mark,
  type MutableJson,
  type MutableObject,
  type Tree,
  textOf,
} from './document-tree.ts';
import { typeOfKey } from './media-ranges.ts';
import { follow, type Node } from './references.ts';
import { styleOf } from './styles.ts';

const PLACES: readonly string[] = ['path', 'query', 'header', 'cookie'] satisfies Parameter['in'][];

export interface LocatedOperation {
  readonly method: Method;
  readonly path: string;
  readonly segments: readonly Key[];
  readonly value: MutableObject;
  readonly mark: Mark;
}

export function locatedIn(tree: Tree): LocatedOperation[] {
  const paths = childOf(tree.root, 'paths');
  if (!isMapping(paths)) return [];
  const found: LocatedOperation[] = [];
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    for (const [key, value] of isMapping(item) ? Object.entries(item) : []) {
      if (!isMethod(key) || !isMapping(value)) continue;
      const segments = ['paths', path, key];
      found.push({ method: key.toUpperCase() as Method, path, segments, value, mark: tree.nearest(segments) });
    }
  }
  return found;
}

export function nameOnlyIn(tree: Tree): ReadonlyMap<string, MutableObject> {
  const items = childOf(childOf(tree.root, 'components'), 'pathItems');
  if (!isMapping(items)) return new Map();
  return new Map(
    Object.entries(items).filter(
      (entry): entry is [string, MutableObject] => isMapping(entry[1]) && !Object.keys(entry[1]).some(isMethod),
    ),
  );
}

export type Placed = Pick<Operation, 'operationId' | 'method' | 'path'>;

/** Method and path without parameter names: requests with the same one are indistinguishable. */
export function placeOnTheWire({ method, path }: { readonly method: Method; readonly path: string }): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

/** What method and path decide, whatever name an operation has. */
export interface StatedByPlace {
  of(operation: Placed): Effect;
  isProbed(operation: Placed): boolean;
}

export function indexOperations(tree: Tree, stated: StatedByPlace): Operation[] {
  const named = nameOnlyIn(tree);
  const located = locatedIn(tree);
  const ids = new Set(located.map(({ value }) => textOf(value.operationId)));
  const unlocated = [...named].filter(([operationId]) => !ids.has(operationId));
  const drafts = [
    ...located.map((spot) =>
      describe(tree, textOf(spot.value.operationId), spot, named.get(textOf(spot.value.operationId))),
    ),
    ...unlocated.map(([operationId, item]) => describe(tree, operationId, null, item)),
  ].map((draft): Operation => {
    const effect = stated.of(draft);
    const creates = effect === 'read' ? null : draft.creates;
    return { ...draft, effect, creates, probed: stated.isProbed(draft), lowered: false };
  });
  return withPredecessors(tree, drafts);
}

/** @param spot its location; null for an operation that is known only by name, with all its facts in `named` */
function describe(
  tree: Tree,
  operationId: string,
  spot: LocatedOperation | null,
  named: MutableObject | undefined,
): Omit<Operation, 'effect' | 'lowered' | 'probed'> {
  const namedAt = ['components', 'pathItems', operationId];
  const segments = spot?.segments ?? namedAt;
  const value = spot?.value ?? named ?? {};
  const located = spot && provenanceOfSpot(tree, segments);
  const stated = (word: string): MutableJson | undefined =>
    located === null
      ? value[word]
      : (saidOf(tree, value, segments, word, located) ?? (named && saidOf(tree, named, namedAt, word, located)));
  checkEffect(tree, value['x-effect'], segments);
  return {
    operationId,
    summary: textOf(value.summary) || textOf(named?.summary) || operationId,
    tag: tagOf(value) || tagOf(named),
    located,
    method: spot?.method ?? null,
    path: spot?.path ?? null,
    deprecated: value.deprecated === true,
    successor: successorOf(value),
    predecessor: null,
    methodChange: methodChangeOf(value),
    ...authOf(tree, operationId, spot?.value.security),
    creates: textOf(stated('x-creates')) || null,
    removes: textOf(stated('x-removes')) || null,
    parameters: spot ? parametersOf(tree, segments) : listParameters(tree, [...segments, 'x-parameters']),
    requestBody: requestBodyOf(tree, [...segments, 'requestBody']),
    responses: responsesOf(tree, [...segments, 'responses']),
    itemSchema: schemaOf(value['x-item-schema']) ?? null,
    notShown: words(value['x-not-shown'] ?? named?.['x-not-shown']),
    reference: referenceOf(value) || referenceOf(named),
    since: textOf(value['x-since'] ?? named?.['x-since']) || null,
    pointer: joinPointer('', ...segments),
  };
}

function provenanceOfSpot(tree: Tree, segments: readonly Key[]): Operation['located'] {
  const marks = [segments.slice(0, 2), segments, [...segments, 'operationId']].map(
    (spot) => tree.nearest(spot).provenance,
  );
  return PROVENANCES.findLast((provenance) => marks.includes(provenance)) ?? 'documented';
}

function withPredecessors(tree: Tree, drafts: readonly Operation[]): Operation[] {
  const ids = new Set(drafts.map((draft) => draft.operationId));
  const predecessors = new Map<string, string>();
  for (const { operationId, successor, pointer } of drafts) {
    if (successor === null) continue;
    if (!ids.has(successor)) {
      const segments = [...(parsePointer(pointer) ?? []), 'x-successor'];
      throw faultAt(tree.nearest(segments), `${operationId} names a successor that is no operation: ${successor}.`);
    }
    if (!predecessors.has(successor)) predecessors.set(successor, operationId);
  }
  return drafts.map((draft) => ({ ...draft, predecessor: predecessors.get(draft.operationId) ?? null }));
}

/** An assumed keyword does not apply to an operation that is located with certainty. */
function saidOf(
  tree: Tree,
  value: MutableObject,
  segments: readonly Key[],
  word: string,
  located: Operation['located'],
): MutableJson | undefined {
  const assumed = tree.nearest([...segments, word]).provenance === 'assumed';
  return assumed && located !== 'assumed' ? undefined : value[word];
}

function checkEffect(tree: Tree, effect: MutableJson | undefined, segments: readonly Key[]): void {
  if (effect === undefined || EFFECTS.some((known) => known === effect)) return;
  throw faultAt(tree.nearest([...segments, 'x-effect']), 'x-effect must be read, write or destructive.', {
    part: 'value',
  });
}

export function tenantOf(tree: Tree, operations: readonly Operation[]): Tenant | null {
  for (const { name, in: place, pointer } of operations.flatMap(({ parameters }) => parameters)) {
    if (childOf(tree.find(parsePointer(pointer) ?? [])?.value, 'x-tenant') === true) return { name, in: place };
  }
  return null;
}

function parametersOf(tree: Tree, segments: readonly Key[]): Parameter[] {
  const merged = new Map<string, Parameter>();
  const lists = [
    [...segments.slice(0, -1), 'parameters'],
    [...segments, 'parameters'],
  ];
  for (const parameter of lists.flatMap((list) => listParameters(tree, list)))
    merged.set(`${parameter.in} ${parameter.name}`, parameter);
  return [...merged.values()];
}

function listParameters(tree: Tree, list: readonly Key[]): Parameter[] {
  const parameters: Parameter[] = [];
  const value = tree.find(list)?.value;
  for (const [index] of Array.isArray(value) ? entriesOf(value) : []) {
    const node = follow(tree, [...list, index]);
    const { name, in: place } = node?.value ?? {};
    // a remark of check-document.ts
    if (place === 'querystring') continue;
    if (!node || typeof name !== 'string' || typeof place !== 'string' || !PLACES.includes(place)) {
      const message = 'A parameter needs a name and a place (in: path, query, header or cookie).';
      throw faultAt(tree.nearest([...list, index]), message);
    }
    const style = styleOf(node.value as JsonObject, place);
    const [type = ''] = Object.keys(childOf(node.value, 'content') ?? {});
    const at = [...node.segments, ...(style.name === 'json' ? ['content', type] : []), 'schema'];
    const schema = schemaOf(tree.find(at)?.value);
    parameters.push({
      name,
      in: place as Parameter['in'],
      required: node.value.required === true,
      style,
      ...(schema === undefined ? {} : { schema }),
      schemaAt: joinPointer('', ...at),
      isText: [follow(tree, at)?.value.type].flat().includes('string'),
      pointer: joinPointer('', ...node.segments),
    });
  }
  return parameters;
}

function requestBodyOf(tree: Tree, segments: readonly Key[]): Operation['requestBody'] {
  const node = follow(tree, segments);
  if (!node) return null;
  return {
    required: node.value.required === true,
    content: contentOf(tree, node, (key) => key),
    pointer: joinPointer('', ...node.segments),
  };
}

function responsesOf(tree: Tree, segments: readonly Key[]): ResponseSpec[] {
  const responses = tree.find(segments)?.value;
  const found: ResponseSpec[] = [];
  for (const status of isMapping(responses) ? Object.keys(responses) : []) {
    if (status.startsWith('x-')) continue;
    const node = follow(tree, [...segments, status]);
    if (node)
      found.push({ status, content: contentOf(tree, node, typeOfKey), pointer: joinPointer('', ...node.segments) });
  }
  return found;
}

function contentOf(tree: Tree, node: Node, typeOf: typeof typeOfKey): Media[] {
  const content = childOf(node.value, 'content');
  const keys = isMapping(content) ? Object.keys(content) : [];
  return keys.map((key) => {
    const at = [...node.segments, 'content', key];
    const media = follow(tree, at);
    const schema = schemaOf(media?.value.schema);
    return {
      type: typeOf(key, keys),
      key,
      ...(schema === undefined ? {} : { schema }),
      pointer: joinPointer('', ...(media?.segments ?? at)),
    };
  });
}

function schemaOf(value: MutableJson | undefined): Schema | undefined {
  return isMapping(value) || typeof value === 'boolean' ? value : undefined;
}

function successorOf(value: MutableObject): string | null {
  const successor = value['x-successor'];
  return textOf(isMapping(successor) ? successor.operationId : successor) || null;
}

export function methodChangeOf(value: MutableObject): MethodChange | null {
  const change = childOf(value['x-successor'], 'methodChange');
  const [from, to] = [textOf(childOf(change, 'from')), textOf(childOf(change, 'to'))].map((method) =>
    method.toUpperCase(),
  );
  return from && to ? { from: from as Method, to: to as Method } : null;
}

function tagOf(value: MutableObject | undefined): string {
  return textOf(childOf(value?.tags, 0)) || textOf(value?.['x-tag']);
}

function referenceOf(value: MutableObject | undefined): string {
  const reference = value?.['x-reference'];
  return Array.isArray(reference) ? reference.map(textOf).join('; ') : textOf(reference);
}

function words(value: MutableJson | undefined): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((word) => word !== '') : [];
}
