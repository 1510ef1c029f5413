import type { Contract, Media, ResponseSpec } from '../../contract/contract.ts';
import { weakest } from '../../contract/provenance.ts';
import type { SchemaCompiler } from '../../schema/ajv.ts';
import { documentFor } from '../../schema/direction.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { describe, type SchemaFacts } from '../../schema/schema-facts.ts';
import { parseJson } from '../../text/decode.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { examplesOf } from '../compile/plan-response.ts';
import { chosenResponse } from '../compile/provenance.ts';
import { type Answer, answer, headerOf, jsonAnswer, ownHeaders, warning } from '../message/answer.ts';
import { field, isJsonMedia, type ReceivedRequest } from '../message/call.ts';
import { PROBLEM_BASE, PROBLEM_TYPE, PROBLEMS, type ProblemRow } from '../message/problem.ts';
import { preferredOf } from './negotiation.ts';

export type DocumentedRefusal = (
  given: Answer,
  operation: PlannedOperation,
  call: ReceivedRequest,
  trail: { refused?: string | undefined },
) => Promise<Answer>;

/** Steps whose problems are about the mock itself, so no contract documents them. */
const OF_THE_MOCK = ['payload', 'scenario', 'control', 'fault'];

/** Statuses for requests that break a schema. A contract often documents only one of them. */
const INVALID = [422, 400];

/**
 * Gives refusals the statuses and bodies that the contract documents. A header keeps the reason, and the trail keeps
 * the problem. A documented problem stays the mock's own if that satisfies its schema.
 */
export function createDocumentedRefusal(load: () => Promise<Contract>, seed: number): DocumentedRefusal {
  return async (given, operation, call, trail) => {
    const text = String(given.body);
    const step = stepOf(given, text);
    if (step === undefined || OF_THE_MOCK.includes(step)) return given;
    const contract = await load();
    const response = responseFor(contract, operation, given.status, step);
    if (response === undefined) return given;
    const status = /^\d+$/.test(response.status) ? Number(response.status) : given.status;
    const problem = { ...(JSON.parse(text) as { readonly detail: string }), status };
    const media = preferredOf(field(call, 'accept'), response.content);
    const { compilerOf } = await import('../../schema/ajv.ts');
    const compile = compilerOf(documentFor(contract.document, 'response'));
    const isFit = media === undefined || (media.type === PROBLEM_TYPE && holds(compile, media, problem));
    const base = weakest(operation.located, contract.provenanceOf(response.pointer));
    const examples = isFit ? [] : examplesOf(contract, media, base, compile, seed);
    const example = examples.find(({ warning: flaw }) => flaw === undefined);
    if (!media || !example) return jsonAnswer(status, problem, 'assumed', ownHeaders(given), PROBLEM_TYPE);
    trail.refused = text;
    const more = [...ownHeaders(given), ...warning(`refused: ${problem.detail}`)];
    const told = withReason(contract, compile, media, example.body, problem.detail);
    if (told === undefined)
      return answer(status, { type: media.type, bytes: Buffer.from(example.body) }, example.provenance, more);
    return jsonAnswer(status, told, 'assumed', more, media.type);
  };
}

/** Members whose text is for people, the most telling first. */
const FREE_TEXTS = ['detail', 'message', 'error_description', 'errorMessage', 'description', 'error', 'title'];
/** How deep a refusal may hold its text: `{ errors: [{ message }] }`. */
const DEEPEST = 3;

/** A documented body with the reason in its first free text; undefined if it has none, or if the schema refuses it. */
function withReason(
  contract: Contract,
  compile: SchemaCompiler,
  { type, schema, pointer }: Media,
  body: string,
  reason: string,
): Json | undefined {
  const at = joinPointer(pointer, 'schema');
  if (schema === undefined || !isJsonMedia(type)) return undefined;
  const told = explained(parseJson(body) as Json, describe(contract, [at]), reason, 0);
  return told !== undefined && compile(at)(told) ? told : undefined;
}

function explained(value: Json, node: SchemaFacts, reason: string, depth: number): Json | undefined {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const [first, ...others] = value as readonly Json[];
    const told = first === undefined ? undefined : explained(first, node.at(node.items), reason, depth + 1);
    return told === undefined ? undefined : [told, ...others];
  }
  const members = value as JsonObject;
  const own = FREE_TEXTS.find((name) => typeof members[name] === 'string' && isFree(node.member(name)));
  if (own !== undefined) return { ...members, [own]: reason };
  for (const [name, inner] of Object.entries(members)) {
    const told = explained(inner, node.member(name), reason, depth + 1);
    if (told !== undefined) return { ...members, [name]: told };
  }
  return undefined;
}

/** Whether any text is valid. */
function isFree({ types, values, words }: SchemaFacts): boolean {
  return types.includes('string') && values === null && !words.has('format') && !words.has('pattern');
}

/** The step that refused. Undefined if the answer is no refusal of the mock, or if the request prefers it. */
function stepOf(given: Answer, text: string): string | undefined {
  if (headerOf(given, 'content-type') !== PROBLEM_TYPE || headerOf(given, 'preference-applied') !== undefined)
    return undefined;
  const { type } = Object(parseJson(text)) as { readonly type?: unknown };
  if (typeof type !== 'string' || !type.startsWith(PROBLEM_BASE)) return undefined;
  const rows: Readonly<Record<string, ProblemRow | undefined>> = PROBLEMS;
  // a rule of the contract folder has no row
  return rows[type.slice(PROBLEM_BASE.length)]?.step ?? 'behaviour';
}

function responseFor(
  contract: Contract,
  { operationId }: PlannedOperation,
  status: number,
  step: string,
): ResponseSpec | undefined {
  const operation = contract.operation(operationId);
  // `default` describes the good answer if the operation has no other
  const usual = operation && chosenResponse(operation);
  const others = step === 'body' && INVALID.includes(status) ? INVALID : [];
  return [status, ...others, '4XX', 'default']
    .map((name) => operation?.responses.find((one) => one.status.replace('xx', 'XX') === String(name)))
    .find((one) => one !== undefined && one !== usual);
}

function holds(compile: SchemaCompiler, { schema, pointer }: Media, problem: object): boolean {
  return schema === undefined || compile(joinPointer(pointer, 'schema'))({ ...problem, instance: '/__mock/' });
}
