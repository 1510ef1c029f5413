import type { Contract, Json, JsonObject } from '../contract/contract.ts';
import { isOfOther } from '../contract/direction.ts';
import { isObject, listOf } from '../contract/schema-facts.ts';
import type { Auth } from '../model/call.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { isJsonType } from '../model/media.ts';
import { goodContent } from '../report/coverage.ts';
import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import type { AnnouncedCall, AnnouncedCheck } from './announce.ts';
import type { Row, RowRequest } from './protocol.ts';

export function rowOf({ id, kind, skip, calls }: AnnouncedCheck, segment: string, contract: Contract): Row {
  const skipped = skip !== null;
  const requests = skipped ? [] : calls.map((call) => requestOf(call, contract));
  return { id, segment, skipped, isOfMock: kind === 'mock-only', requests };
}

const INSTEAD_OF_A_TOKEN: Partial<Record<Auth, HeaderFields>> = {
  none: [['authorization', '']],
  garbage: [['authorization', 'Bearer garbage-token']],
};

function requestOf(call: AnnouncedCall, contract: Contract): RowRequest {
  const { operationId, method, path, target, purpose, auth, times, headers, body, parameters } = call;
  const query = target.split('?')[1];
  const schema = purpose === 'succeed' ? documentedAnswer(contract, operationId) : undefined;
  return {
    method,
    path: query === undefined ? path : `${path}?${query}`,
    pathParams: encoded(parameters),
    headers: Object.fromEntries([...headers, ...(INSTEAD_OF_A_TOKEN[auth] ?? [])]),
    ...(body && { body: Buffer.from(body).toString() }),
    purpose,
    ...(schema && { schema }),
    times,
  };
}

export function encoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]));
}

function documentedAnswer(contract: Contract, operationId: string): JsonObject | undefined {
  const operation = contract.operation(operationId);
  const contents = operation ? goodContent(operation) : [];
  const media = contents.find(({ type }) => isJsonType(type));
  // A recording may show that an answer is not JSON. Then a JSON schema does not apply.
  if (media === undefined || !contents.every(({ type }) => isJsonType(type))) return undefined;
  return documentedSchema(contract, joinPointer(media.pointer, 'schema'));
}

export function documentedSchemas(contract: Contract): Record<string, JsonObject> {
  const home = joinPointer('', 'components', 'schemas');
  const names = Object.keys((contract.at(home) ?? {}) as object);
  const known = names.map((name) => [name, documentedSchema(contract, joinPointer(home, name))] as const);
  return Object.fromEntries(known.flatMap(([name, schema]) => (schema === undefined ? [] : [[name, schema]])));
}

/** Keywords without subschemas. The judge checks formats, patterns and bounds, because validators differ in them. */
const PLAIN = ['type', 'enum', 'const'];

/**
 * The documented part of the schema at a pointer, without references and extensions, which some validators reject.
 * Undefined if nothing is documented.
 */
export function documentedSchema(
  contract: Contract,
  pointer: string,
  above: readonly string[] = [],
): JsonObject | undefined {
  const node = contract.at(pointer);
  if (!isObject(node) || above.includes(pointer) || contract.provenanceOf(pointer) !== 'documented') return undefined;
  const isStated = (...tokens: (string | number)[]): boolean =>
    contract.provenanceOf(joinPointer(pointer, ...tokens)) === 'documented';
  const part = (...tokens: (string | number)[]): JsonObject | undefined =>
    documentedSchema(contract, joinPointer(pointer, ...tokens), [...above, pointer]);
  const schema: Record<string, Json> = {};
  for (const word of PLAIN) if (node[word] !== undefined && isStated(word)) schema[word] = node[word];
  const required = listOf(node.required).filter(
    (name, index) => isStated('required', index) && !isOfOther(contract.document, node, String(name), 'response'),
  );
  if (required.length > 0) schema.required = required;
  const names = Object.keys(isObject(node.properties) ? node.properties : {});
  const properties = names.flatMap((name) => {
    const property = part('properties', name);
    return property === undefined ? [] : [[name, property] as const];
  });
  if (properties.length > 0) schema.properties = Object.fromEntries(properties);
  // the judge checks the items after a tuple
  const items = node.prefixItems === undefined ? part('items') : undefined;
  if (items !== undefined) schema.items = items;
  const parts = listOf(node.allOf).map((_, index) => part('allOf', index));
  const target = typeof node.$ref === 'string' ? pointerOfReference(node.$ref) : undefined;
  if (target !== undefined) parts.push(documentedSchema(contract, target, [...above, pointer]));
  const known = parts.filter((one) => one !== undefined);
  if (known.length > 0) schema.allOf = known;
  for (const word of ['anyOf', 'oneOf']) {
    const branches = listOf(node[word]).map((_, index) => part(word, index));
    // Undocumented branches accept everything. Without formats, several may match, so `oneOf` becomes `anyOf`.
    if (branches.length > 0 && branches.every((branch) => branch !== undefined)) schema.anyOf = branches;
  }
  const [only] = known;
  if (only !== undefined && known.length === 1 && Object.keys(schema).length === 1) return only;
  return Object.keys(schema).length === 0 ? undefined : schema;
}
