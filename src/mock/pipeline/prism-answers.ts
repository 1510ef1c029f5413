import { isSendable } from '../../model/exchange.ts';
import { mediaType } from '../../model/media.ts';
import { MADE_UP, type PlannedExample } from '../compile/plan.ts';
import type { LabelledAnswer } from '../compile/provenance.ts';
import type { AcceptedRequest } from '../compile/request.ts';
import { type Answer, answer, BODILESS, type FlatHeaders, isOfMock } from '../message/answer.ts';
import { field, isJsonMedia, mediaTypeOf } from '../message/call.ts';
import { limitsOf } from '../message/limits.ts';
import { problem } from '../message/problem.ts';
import type { MockOptions } from '../mock.ts';
import { preferenceOf } from './negotiation.ts';
import type { PrismAnswer } from './prism.ts';
import { parseBody } from './read-body.ts';
import type { Served } from './served-contract.ts';
import type { Checks } from './steps.ts';

export interface PrismWishes {
  /** Served unless the request prefers another example, or the media type has no example with this key. */
  readonly example?: PlannedExample | undefined;
  readonly validate?: boolean;
  /** Called for an answer that replaces Prism's, unless Prism rejects the request. */
  readonly instead?: (() => Answer | undefined) | undefined;
}

export type PrismAnswers = (request: AcceptedRequest, wishes?: PrismWishes) => Promise<Answer>;

export function createPrismAnswers({ prism, labelled }: Pick<Served, 'prism' | 'labelled'>): PrismAnswers {
  return async (request, { example, validate = false, instead } = {}) => {
    const { operation, preference } = request;
    const ask = await prism();
    const exampleKey = preference || example?.key === MADE_UP ? undefined : example?.key;
    let reply = await ask(request, preference ?? { exampleKey }, validate);
    // the media type has no example with this key
    if (exampleKey !== undefined && 'status' in reply && reply.status === 404) reply = await ask(request, {}, validate);
    if ('status' in reply) return reply;
    return instead?.() ?? answerOf(reply, await labelled(operation, reply));
  };
}

/**
 * Answers every operation with Prism: negotiation, validation, `Prefer` and examples. The mock rejects only input that
 * ends Prism's process or that it misreads: bad escapes, empty path parameters, malformed bodies (rules M1, M3, M4).
 */
export function createPrismEngine(options: MockOptions, served: Served): Checks {
  const { jsonDepth } = limitsOf(options.limits);
  const answerByPrism = createPrismAnswers(served);
  return {
    async payload({ call, operation, parameters, checkpoints }) {
      const preference = preferenceOf(field(call, 'prefer'), call.query);
      if (preference === 'invalid') return problem('preference-unmet', 'code is a status from 200 to 599');
      const read = call.body ? parseBody(call.body, mediaTypeOf(call) ?? '', jsonDepth) : { values: [] };
      if ('status' in read) return read;
      const example = exampleFor({ parameters }, operation.response.media[0]?.examples);
      const request = { operation, parameters, call, body: read.values[0], preference };
      return answerByPrism(request, { example, validate: true, instead: checkpoints?.body });
    },
  };
}

export function exampleFor(
  { parameters }: Pick<AcceptedRequest, 'parameters'>,
  examples: readonly PlannedExample[] = [],
): PlannedExample | undefined {
  const preferred = examples.find(
    ({ when }) => when && Object.entries(when).every(([name, value]) => parameters[name] === value),
  );
  return preferred ?? examples[0];
}

export const CHALLENGE: FlatHeaders = ['www-authenticate', 'Bearer realm="banking-api mock"'];

function answerOf({ code, fields }: PrismAnswer, { body, provenance }: LabelledAnswer): Answer {
  const { 'content-type': type } = fields;
  // a generated value may be invalid in a header
  const more = Object.entries(fields).flatMap(([name, value]) =>
    isSendable(value) && !isOfMock(name) ? [name, value] : [],
  );
  if (code === 401 && fields['www-authenticate'] === undefined) more.push(...CHALLENGE);
  if (body === undefined || type === undefined || BODILESS.has(code)) return answer(code, null, provenance, more);
  const asJson = isJsonMedia(mediaType(type)) || typeof body !== 'string';
  const bytes = Buffer.from(asJson ? JSON.stringify(body) : body);
  return answer(code, { type, bytes }, provenance, more);
}
