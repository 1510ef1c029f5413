import type { Contract, JsonObject } from '../contract/contract.ts';
import { isOfOther } from '../contract/direction.ts';
import { documentedAt, says } from '../learn/documented.ts';
import type { Auth } from '../model/call.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { isJsonType } from '../model/media.ts';
import { goodContent } from '../report/coverage.ts';
import { joinPointer } from '../text/pointer.ts';
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
  const { operationId, method, target, purpose, auth, times, headers, body } = call;
  const schema = purpose === 'succeed' ? documentedAnswer(contract, operationId) : undefined;
  return {
    method,
    target,
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
  // A recording may show that an answer is not JSON. Then a JSON schema does not apply.
  const [media] = contents.every(({ type }) => isJsonType(type)) ? contents : [];
  return media && documentedSchema(contract, [joinPointer(media.pointer, 'schema')]);
}

/** Documented schemas of the resources, by their names under `components`. */
export function documentedSchemas(contract: Contract): Record<string, JsonObject> {
  const home = joinPointer('', 'components', 'schemas');
  const names = Object.keys((contract.at(home) ?? {}) as object);
  const known = names.map((name) => [name, documentedSchema(contract, [joinPointer(home, name)])] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, JsonObject] => entry[1] !== undefined));
}

/**
 * The documented part of the schemas at some pointers, without references and extensions, which some validators
 * reject. Undefined if nothing is documented. The judge checks the rest: alternatives, formats, patterns and bounds.
 */
function documentedSchema(
  contract: Contract,
  pointers: readonly string[],
  above: readonly string[] = [],
): JsonObject | undefined {
  const facts = documentedAt(contract, pointers);
  if (facts === undefined || pointers.some((pointer) => above.includes(pointer))) return undefined;
  const { types, values, properties, items, parts } = facts;
  const inside = (places: readonly string[]): JsonObject =>
    documentedSchema(contract, places, [...above, ...pointers]) ?? {};
  const required = [...facts.required.keys()].filter(
    (name) => !parts.some(({ schema }) => isOfOther(contract.document, schema, name, 'response')),
  );
  const schema = {
    // without a stated type, the facts hold a guess
    ...(says(facts, 'type') && { type: types }),
    ...(values && { enum: values }),
    ...(required.length > 0 && { required }),
    ...(properties.size > 0 && {
      properties: Object.fromEntries([...properties].map(([name, places]) => [name, inside(places)])),
    }),
    // the judge checks the items after a tuple
    ...(items.length > 0 && !says(facts, 'prefixItems') && { items: inside(items) }),
  };
  return Object.keys(schema).length === 0 ? undefined : schema;
}
