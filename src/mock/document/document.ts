import type { Contract, Operation } from '../../contract/contract.ts';
import { stampProvenance } from '../../contract/overlays/stamp.ts';
import { isObject, type Json, type JsonObject, nodeAt } from '../../schema/json.ts';
import { type Kind, kindOfChild } from '../../schema/structure.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isJsonMedia } from '../message/call.ts';
import { type Enforced, enforcedIn } from './enforced.ts';
import { operationLine, provenanceLine, withLine } from './provenance-lines.ts';
import { addRefusals } from './refusals.ts';
import { type Removals, removalsFor } from './removals.ts';
import { createSamples, type Samples, type ShownTenant } from './samples.ts';

type Mutable = { [name: string]: Json };

export interface DocumentOptions extends ShownTenant {
  /** Base URL of the operations. */
  readonly url: string;
}

const STAMP = 'x-provenance';
const PARTS = 'x-provenance-parts';
const ABOUT =
  'This is the contract as the mock serves it: documented facts, and assumptions of the mock where the reference has gaps. The line “Provenance” of each description separates the two. Ids and examples are invented.';

/**
 * The contract as a mock serves it: with the mock's address and valid examples, and without the parts that the profile
 * removes. Each operation and field has its provenance in its description and as stamps (`x-provenance`, `x-source`).
 * Parameters are inlined in each operation, since some viewers find them nowhere else.
 */
export function mockDocument(contract: Contract, options: DocumentOptions): JsonObject {
  const removals = removalsFor(contract, options.parts, options.profile);
  const samples = createSamples(contract, options, removals);
  const document = dressed(contract, stampProvenance(contract), 'document', '', removals) as Mutable;
  const enforcedFor = ({ operationId }: Operation): Enforced => enforcedIn(operationId, options);
  const byId = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const paths = Object.entries(document.paths as JsonObject).map(([path, item]) => {
    const { parameters: _, ...rest } = item as Mutable;
    for (const [method, node] of Object.entries(rest)) {
      const operation = isObject(node) ? byId.get(String(node.operationId)) : undefined;
      if (operation === undefined || operation.method !== method.toUpperCase()) continue;
      if (removals.operations.has(operation.operationId)) delete rest[method];
      else
        rest[method] = written(document, node as JsonObject, operation, { samples, enforced: enforcedFor(operation) });
    }
    return [path, withoutParts(rest)] as const;
  });
  document.paths = Object.fromEntries(
    paths.filter(([, item]) => Object.values(item).some((node) => isObject(node) && node.operationId !== undefined)),
  );
  for (const operation of contract.operations) fill(document, operation, { samples, enforced: enforcedFor(operation) });
  addRefusals(document, contract, options.parts.entities, options.profile);
  addTokens(document, contract, options.url);
  dropStandIns(document, contract);
  document.servers = [{ url: options.url, description: 'The mock', [STAMP]: 'assumed' }];
  document.info = {
    ...(document.info as JsonObject),
    description: withLine((document.info as JsonObject).description, ABOUT),
  };
  document['x-mock'] = {
    profile: options.profile.name,
    withdrawn: [...removals.operations],
    absent: [...removals.fields].map(([pointer, condition]) => ({ pointer, condition })),
  };
  return document;
}

/** Adds to each part its source and, in its description, its provenance. Omits the parts that the profile removes. */
function dressed(
  contract: Contract,
  value: Json,
  kind: Kind,
  pointer: string,
  removals: Removals,
  isField = false,
): Json {
  if (Array.isArray(value))
    return value.map((child, index) =>
      dressed(contract, child, kindOfChild(kind, index), joinPointer(pointer, index), removals),
    );
  if (!isObject(value)) return value;
  const members: Mutable = {};
  for (const [name, child] of Object.entries(value)) {
    const at = joinPointer(pointer, name);
    if (removals.fields.has(at)) continue;
    const childKind = kindOfChild(kind, name);
    const inside = childKind === 'schema' && kind === 'map:schema';
    members[name] = childKind === 'data' ? child : dressed(contract, child, childKind, at, removals, inside);
  }
  if (kind === 'schema') {
    dropRequired(members, pointer, removals);
    // means the same, and request generators support it
    if (value.const !== undefined && value.enum === undefined) members.enum = [value.const];
  }
  const line = lineFor(contract, value, kind, pointer, isField);
  if (line !== undefined) {
    members.description = withLine(value.description, line);
    const { file, line: number } = contract.placeOf(pointer);
    members['x-source'] = { file, ...(number !== undefined && { line: number }) };
  }
  return members;
}

function lineFor(
  contract: Contract,
  node: JsonObject,
  kind: Kind,
  pointer: string,
  isField: boolean,
): string | undefined {
  if (kind === 'operation') {
    const operation = contract.operation(String(node.operationId));
    return operation && operationLine(contract, operation, node);
  }
  const isReference = typeof node.$ref === 'string' && kind !== 'schema';
  const speaks = isField || ['parameter', 'requestBody', 'response'].includes(kind);
  return speaks && !isReference ? provenanceLine(contract.provenanceOf(pointer), node) : undefined;
}

function dropRequired(schema: Mutable, pointer: string, removals: Removals): void {
  const { required } = schema;
  if (!Array.isArray(required)) return;
  schema.required = required.filter((name) => !removals.fields.has(joinPointer(pointer, 'properties', String(name))));
}

/** The mock's additions to the requests of an operation. */
interface Added {
  readonly samples: Samples;
  readonly enforced: Enforced;
}

function written(
  document: JsonObject,
  node: JsonObject,
  operation: Operation,
  { samples, enforced }: Added,
): JsonObject {
  const parameters = operation.parameters.map((given): JsonObject => {
    const parameter = nodeAt(document, given.pointer) as JsonObject;
    const isBare = parameter.content === undefined && !hasType(parameter.schema);
    // a value in a URL is text
    const text = { ...(parameter.schema as JsonObject | undefined), type: 'string', [STAMP]: 'assumed' };
    const own: JsonObject = isBare ? { ...parameter, schema: text } : parameter;
    const more = given.in === 'path' ? enforced.path[given.name] : undefined;
    const typed = more === undefined ? own : { ...own, schema: withParts(own.schema as JsonObject, more) };
    const example = given.required ? samples.parameter(operation, given.name) : undefined;
    const isShown = example === undefined || parameter.example !== undefined || parameter.examples !== undefined;
    return isShown ? typed : withExample(typed, example);
  });
  const responses = withStatus(node.responses as JsonObject);
  return { ...withoutParts(node), responses, ...(parameters.length > 0 && { parameters }) };
}

/** The mock answers 200 if the contract has no exact code. Some test generators skip operations with only a range. */
function withStatus({ '2XX': range, ...named }: JsonObject): JsonObject {
  if (range === undefined) return named;
  const hasCode = Object.keys(named).some((status) => status.startsWith('2'));
  return { [hasCode ? '2XX' : '200']: range, ...named };
}

function hasType(schema: Json | undefined): boolean {
  return isObject(schema) && Object.keys(schema).some((word) => !word.startsWith('x-') && word !== 'description');
}

/** Drops the provenance notes of a rewritten parameter list, since their pointers no longer match. */
function withoutParts(node: JsonObject): JsonObject {
  const noted = node[PARTS];
  if (!isObject(noted)) return node;
  const kept = Object.entries(noted).filter(([pointer]) => !/^\/parameters(?:\/|$)/.test(pointer));
  const { [PARTS]: _, ...rest } = node;
  return kept.length > 0 ? { ...rest, [PARTS]: Object.fromEntries(kept) } : rest;
}

function fill(document: JsonObject, operation: Operation, { samples, enforced }: Added): void {
  for (const media of operation.requestBody?.content ?? []) {
    const node = nodeAt(document, media.pointer);
    if (isObject(node) && isObject(node.schema) && isJsonMedia(media.type))
      Object.assign(node, { schema: narrowed(document, node.schema, enforced.body) });
    if (!isObject(node) || node.example !== undefined || node.examples !== undefined) continue;
    const example = samples.body(operation, media);
    if (example !== undefined) Object.assign(node, withExample(node, example));
  }
}

/** Narrows a schema. Inlines its members, since some tools ignore everything beside a `$ref`. */
function narrowed(document: JsonObject, schema: JsonObject, body: Enforced['body']): JsonObject {
  if (body.length === 0) return schema;
  const resolved = (node: Json | undefined): JsonObject => {
    const { $ref, ...own } = node as JsonObject;
    return typeof $ref === 'string' ? { ...(nodeAt(document, $ref.slice(1)) as JsonObject), ...own } : own;
  };
  const whole = resolved(schema);
  const known = (whole.properties ?? {}) as JsonObject;
  // complete, since some tools read nothing beside `anyOf`
  const [first = whole, ...others] = body.map(({ properties, ...more }): JsonObject => {
    const members = Object.entries(properties).map(([name, one]) => [
      name,
      narrowedValue(resolved(known[name] ?? {}), one),
    ]);
    return { ...whole, ...more, properties: { ...known, ...Object.fromEntries(members) } } as JsonObject;
  });
  return others.length === 0 ? first : withParts(whole, { anyOf: [first, ...others] });
}

/** Lists the values that `not` leaves, because some tools ignore `not`. A pattern can list values: `^(?:EUR|GBP)$`. */
function narrowedValue(schema: JsonObject, more: JsonObject): JsonObject {
  const { enum: values = [] } = (more.not ?? {}) as { readonly enum?: readonly Json[] };
  const isLeft = (value: Json): boolean => !values.includes(value);
  const [, inPattern = ''] = /^\^\(\?:([\w|]+)\)\$$/.exec(String(schema.pattern)) ?? [];
  const inEnum = Array.isArray(schema.enum) ? schema.enum.filter(isLeft) : [];
  if (values.length > 0 && inEnum.length > 0) return withParts(schema, { enum: inEnum });
  if (values.length === 0 || inPattern === '') return withParts(schema, more);
  return withParts(schema, { pattern: `^(?:${inPattern.split('|').filter(isLeft).join('|')})$` });
}

/** Adds the token endpoint as an OAuth flow beside the bearer scheme, so that a viewer can get a token itself. */
function addTokens(document: Mutable, contract: Contract, url: string): void {
  const { token } = contract;
  const path = token && contract.operation(token.operationId)?.path;
  const components = document.components as Mutable | undefined;
  const schemes = components?.securitySchemes;
  const flow = 'clientCredentials';
  if (path == null || !isObject(schemes) || Object.hasOwn(schemes, flow)) return;
  const bearer = Object.keys(schemes).find((name) => isObject(schemes[name]) && isObject(schemes[name]['x-token']));
  if (bearer === undefined) return;
  (schemes as Mutable)[flow] = {
    type: 'oauth2',
    description: withLine('Gets a token of the token endpoint and sends it.', provenanceLine('assumed', {})),
    flows: { clientCredentials: { tokenUrl: `${url}${path}`, scopes: {} } },
    [STAMP]: 'assumed',
  };
  const both = (security: Json | undefined): Json | undefined =>
    Array.isArray(security) && security.some((one) => isObject(one) && Object.keys(one).join() === bearer)
      ? [...security, { [flow]: [] }]
      : undefined;
  const holders = [document, ...operationsIn(document)];
  for (const holder of holders) {
    const security = both(holder.security);
    if (security !== undefined) holder.security = security;
  }
}

function operationsIn(document: JsonObject): Mutable[] {
  return Object.values(document.paths as JsonObject).flatMap((item) =>
    Object.values(item as JsonObject).filter((node): node is Mutable => isObject(node) && 'operationId' in node),
  );
}

function dropStandIns({ components }: Mutable, contract: Contract): void {
  if (!isObject(components) || !isObject(components.pathItems)) return;
  const kept = Object.entries(components.pathItems).filter(([name]) => contract.operation(name)?.path === null);
  if (kept.length > 0) (components as Mutable).pathItems = Object.fromEntries(kept);
  else delete (components as Mutable).pathItems;
}

function withExample(node: JsonObject, example: Json): JsonObject {
  const { examples: _, ...rest } = node;
  return withParts(rest, { example });
}

/** Adds members to a node and marks them as assumed. */
function withParts(node: JsonObject, more: JsonObject): JsonObject {
  const names = Object.keys(more);
  if (names.length === 0 || node[STAMP] === 'assumed') return { ...node, ...more };
  const parts = Object.fromEntries(names.map((name) => [`/${name}`, 'assumed']));
  return { ...node, ...more, [PARTS]: { ...(node[PARTS] as JsonObject | undefined), ...parts } };
}
