import type { Contract } from '../../contract/contract.ts';
import { PROVENANCE_HEADER } from '../../model/mock-answer.ts';
import { documentFor } from '../../schema/direction.ts';
import { admits, isObject, type Json, typeOf } from '../../schema/json.ts';
import { describe } from '../../schema/schema-facts.ts';
import { parseJson } from '../../text/decode.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import type { AcceptedRequest, Payload } from '../compile/request.ts';
import { type Answer, headerOf, jsonAnswer, ownHeaders } from '../message/answer.ts';

/** Answers without state repeat the request's members that they document, and the ids of the path. */
export function repeatingMembers(payload: Payload, contract: () => Promise<Contract>): Payload {
  const known = new Map<string, Promise<Repeat>>();
  return async (request) => {
    const made = await payload(request);
    const { operationId } = request.operation;
    if (request.preference || made.status >= 300 || made.body === null) return made;
    const repeat = known.get(operationId) ?? contract().then((loaded) => repeatFor(loaded, operationId));
    known.set(operationId, repeat);
    return (await repeat)(made, request);
  };
}

type Repeat = (made: Answer, request: AcceptedRequest) => Answer;

async function repeatFor(contract: Contract, operationId: string): Promise<Repeat> {
  const operation = contract.operation(operationId);
  const media = operation && goodJson(operation);
  if (media?.schema === undefined) return (made) => made;
  const { compilerOf } = await import('../../schema/ajv.ts');
  const at = joinPointer(media.pointer, 'schema');
  const isValid = compilerOf(documentFor(contract.document, 'response'))(at);
  const { properties, member } = describe(contract, [at]);
  const typed = (name: string, text: string): Json => {
    const { types } = member(name);
    const isNumber = types.length > 0 && !types.includes('string') && text.trim() !== '';
    return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  return (made, { parameters, body }) => {
    const before = parseJson(String(made.body)) as Json | undefined;
    if (!isObject(before)) return made;
    const ids = Object.entries(parameters).map(([name, text]): [string, Json] => [name, typed(name, text)]);
    const sent = isObject(body as Json) ? Object.entries(body as Record<string, Json>) : [];
    const repeated = [...sent, ...ids].filter(([name, value]) => {
      const { types, parts } = member(name);
      const isShown = properties.has(name) && !parts.some(({ schema }) => schema.writeOnly === true);
      return isShown && (types.length === 0 || admits(types, typeOf(value)));
    });
    const after = { ...before, ...Object.fromEntries(repeated) };
    if (repeated.length === 0 || !isValid(after)) return made;
    // a recording taught the shape, and no values
    const provenance = headerOf(made, PROVENANCE_HEADER) === 'observed' ? 'observed' : 'assumed';
    return jsonAnswer(made.status, after, provenance, ownHeaders(made), headerOf(made, 'content-type'));
  };
}
