import type { Provenance } from '../../contract/contract.ts';
import { isSendable } from '../../model/exchange.ts';
import { MADE_UP, type PlannedExample } from '../compile/plan.ts';
import type { AcceptedRequest } from '../compile/request.ts';
import { type Answer, answer, BODILESS, type FlatHeaders } from '../message/answer.ts';
import { FORM_TYPE, field, fillPath, isJson, mediaTypeOf, type ReceivedRequest } from '../message/call.ts';
import { limitsOf } from '../message/limits.ts';
import { type ProblemKind, problem } from '../message/problem.ts';
import type { MockOptions } from '../mock.ts';
import type { Engine } from './engine.ts';
import { preferenceOf, safeAccept } from './negotiation.ts';
import type { PrismAnswer, PrismRefusal, PrismRequest } from './prism.ts';
import { readBody } from './read-body.ts';
import type { Served } from './served-contract.ts';

export interface PrismWishes {
  /** Shown unless the request prefers another one, or a type that has no example of its name. */
  readonly example?: PlannedExample | undefined;
  /** Whether Prism validates the request; by default if only Prism can. */
  readonly validate?: boolean;
  /** Asked for an answer in place of Prism's, unless Prism refuses the request. */
  readonly instead?: (() => Answer | undefined) | undefined;
}

export type PrismAnswers = (request: AcceptedRequest, wishes?: PrismWishes) => Promise<Answer>;

export function createPrismAnswers({ prism, labelled }: Pick<Served, 'prism' | 'labelled'>): PrismAnswers {
  return async (accepted, { example, validate, instead } = {}) => {
    const { operation, parameters, call, body, preference = {} } = accepted;
    const request: PrismRequest = {
      operation,
      path: fillPath(operation.path, parameters),
      query: call.query,
      headers: headersFor(call),
      // Prism reads a form by itself
      body: mediaTypeOf(call) === FORM_TYPE ? call.body?.toString('utf8') : body,
      preference,
      judge: validate ?? operation.prismJudges,
    };
    const { respond } = await prism();
    const exampleKey = accepted.preference || example?.key === MADE_UP ? undefined : example?.key;
    let reply = await respond(exampleKey === undefined ? request : { ...request, preference: { exampleKey } });
    if (exampleKey !== undefined && reply.kind === 'refused' && reply.status === 404) reply = await respond(request);
    if (reply.kind === 'refused') return refusalOf(reply);
    const other = instead?.();
    if (other) return other;
    const { body: shown, provenance } = await labelled(operation, reply);
    return answerOf({ ...reply, body: shown }, provenance);
  };
}

/**
 * Answers every operation by Prism: negotiation, validation, `Prefer` and examples. Before it, only bytes are refused that end Prism's
 * process or that it misreads: bad escapes, empty path parameters, and bodies that are malformed (rules M1, M3, M4).
 */
export function createPrismEngine(options: MockOptions, served: Served): Engine {
  const { jsonDepth } = limitsOf(options.limits);
  const answerByPrism = createPrismAnswers(served);
  return async (call, { operation, parameters }, checkpoints) => {
    const preference = preferenceOf(field(call, 'prefer'), call.query);
    if (preference === 'invalid') return problem('preference-unmet', 'code is a status from 200 to 599');
    const read = call.body ? readBody(call.body, mediaTypeOf(call) ?? '', jsonDepth) : { values: [] };
    if ('status' in read) return read;
    const example = exampleFor({ parameters }, operation.response.media[0]?.examples);
    const request = { operation, parameters, call, body: read.values[0], preference };
    return answerByPrism(request, { example, validate: true, instead: checkpoints?.body });
  };
}

/** The example whose `when` the request meets, else the first. */
export function exampleFor(
  { parameters }: Pick<AcceptedRequest, 'parameters'>,
  examples: readonly PlannedExample[] = [],
): PlannedExample | undefined {
  const meant = examples.find(
    ({ when }) => when && Object.entries(when).every(([name, value]) => parameters[name] === value),
  );
  return meant ?? examples[0];
}

export const CHALLENGE: FlatHeaders = ['www-authenticate', 'Bearer realm="banking-api mock"'];

const KINDS: Readonly<Record<number, ProblemKind>> = {
  406: 'not-acceptable',
  415: 'unsupported-type',
};

function headersFor(call: ReceivedRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(call.headers)) {
    const value = field(call, name);
    if (value !== undefined && name !== 'accept' && name !== 'authorization') headers[name] = value;
  }
  const accept = safeAccept(field(call, 'accept'));
  if (accept !== undefined) headers.accept = accept;
  if (call.body) headers['content-length'] = String(call.body.length);
  return headers;
}

function refusalOf({ status: given, detail, wrong }: PrismRefusal): Answer {
  const [first] = wrong;
  if (first) {
    const kind = first.in === 'body' ? 'invalid-body' : 'invalid-query';
    return problem(kind, first.message, { members: { errors: wrong } });
  }
  const status = given >= 400 && given < 500 ? given : 400;
  return problem(KINDS[status] ?? 'preference-unmet', detail, { status });
}

function answerOf(reply: PrismAnswer, provenance: Provenance): Answer {
  const { status, body } = reply;
  const { 'content-type': type, deprecation: _, ...others } = reply.headers;
  // a generated value may be none that can be sent
  const more = Object.entries(others).flatMap(([name, value]) => (isSendable(value) ? [name, value] : []));
  if (status === 401 && others['www-authenticate'] === undefined) more.push(...CHALLENGE);
  if (body === undefined || type === undefined || BODILESS.has(status)) return answer(status, null, provenance, more);
  const asJson = isJson(type.split(';')[0]?.trim().toLowerCase() ?? '') || typeof body !== 'string';
  const bytes = Buffer.from(asJson ? JSON.stringify(body) : body);
  return answer(status, { type, bytes }, provenance, more);
}
