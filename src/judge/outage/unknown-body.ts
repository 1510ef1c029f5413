import type { Contract, Operation } from '../../contract/contract.ts';
import { recordedAnswers } from '../../contract/provenance.ts';
import { type Call, finalAttempt } from '../../model/call.ts';
import type { Reason } from '../../model/reason.ts';
import { isObject } from '../../schema/json.ts';
import { describe } from '../../schema/schema-facts.ts';
import { parseJson } from '../../text/decode.ts';
import { joinPointer } from '../../text/pointer.ts';
import { exampleOf, jsonBodyOf } from '../request-example.ts';
import type { Evidence } from './evidence.ts';

const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'];
const OF_THE_BODY: readonly number[] = [400, 411, 415, 422];

/**
 * Why a refusal proves nothing: the contract shows no complete body, so the request had no body or only part of one.
 * Null if the same request succeeded in a recording or elsewhere in the run. Also null if the body cannot be the
 * reason.
 */
export function unknownBody(call: Call, { goodOf, contract }: Pick<Evidence, 'goodOf' | 'contract'>): Reason | null {
  const operation = contract.operation(call.operationId);
  const last = finalAttempt(call);
  const status = last?.response?.status ?? 0;
  if (operation === undefined || last === undefined || !WITH_BODY.includes(last.request.method)) return null;
  const fields = fieldsIn(last.request.body);
  const isFailure = status >= 500 && fields === null;
  if (
    fields === undefined ||
    !(OF_THE_BODY.includes(status) || isFailure) ||
    exampleOf(contract, operation) !== undefined
  )
    return null;
  if (fields === null ? jsonBodyOf(operation) !== undefined : !isPart(fields, operation, contract)) return null;
  if (isKnownAsGood(operation, contract)) return null;
  if (goodOf(call.operationId).some((other) => sameFields(fields, other))) return null;
  const { operationId, parameters } = call;
  return { kind: 'body-unknown', operationId, status, fields, names: Object.keys(parameters) };
}

/** Field names of the JSON object that was sent. Null without a body, undefined for any other body. */
function fieldsIn(body: Uint8Array | null): string[] | null | undefined {
  if (body === null || body.length === 0) return null;
  const value = parseJson(new TextDecoder().decode(body));
  return isObject(value) ? Object.keys(value).sort() : undefined;
}

function isPart(fields: readonly string[], operation: Operation, contract: Contract): boolean {
  const media = jsonBodyOf(operation);
  if (media === undefined) return false;
  const { properties } = describe(contract, [joinPointer(media.pointer, 'schema')]);
  return fields.every((name) => properties.has(name)) && fields.length < properties.size;
}

/** True if a success is recorded for a run's own requests. A caller's requests may all have had a body of their own. */
function isKnownAsGood(operation: Operation, contract: Contract): boolean {
  return recordedAnswers(contract, operation).some(
    ({ pointer }) => contract.at(joinPointer(pointer, 'x-asked-with-body')) !== true,
  );
}

function sameFields(fields: readonly string[] | null, other: Call): boolean {
  return JSON.stringify(fieldsIn(finalAttempt(other)?.request.body ?? null)) === JSON.stringify(fields);
}
