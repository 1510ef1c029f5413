import { createMatcher } from '../../contract/paths.ts';
import { field, mediaTypeOf } from '../message/call.ts';
import { limitsOf } from '../message/limits.ts';
import { problem } from '../message/problem.ts';
import type { MockOptions } from '../mock.ts';
import type { Engine } from './engine.ts';
import { preferenceOf } from './negotiation.ts';
import { createPrismAnswers, exampleFor, refusalOf } from './prism-answers.ts';
import { readBody } from './read-body.ts';
import type { Router } from './router.ts';
import type { Served } from './served-contract.ts';

/**
 * Answers every request by Prism: routing, negotiation, validation, `Prefer` and examples. Before it, only bytes are refused that
 * end Prism's process or that it misreads: bad escapes, empty path parameters, and bodies that are malformed (rules M1, M3, M4).
 */
export function createPrismEngine(options: MockOptions, served: Served, find: Router): Engine {
  const { operations } = served.plan;
  const { jsonDepth } = limitsOf(options.limits);
  const answerByPrism = createPrismAnswers(served);
  return {
    async find(call) {
      const own = find(call);
      // Prism does not know OPTIONS
      if (own.kind === 'answer' && (call.method === 'OPTIONS' || own.answer.status === 400)) return own;
      const method = call.method === 'HEAD' ? 'GET' : call.method;
      const routed = await (await served.prism()).route(method, call.path);
      if ('status' in routed) {
        // ours has the same status, and `Allow` or the nearest paths
        if (own.kind === 'answer' && own.answer.status === routed.status) return own;
        return { kind: 'answer', answer: refusalOf(routed) };
      }
      if (own.kind === 'answer') return own;
      if (own.operation.method === routed.method && own.operation.path === routed.path) return own;
      const chosen = operations.filter((one) => one.method === routed.method && one.path === routed.path);
      const found = createMatcher(chosen)(method, call.path);
      return found?.kind === 'operation' ? { ...found, parameters: found.pathParameters } : own;
    },

    async answer(call, { operation, parameters }, checkpoints) {
      const preference = preferenceOf(field(call, 'prefer'), call.query);
      if (preference === 'invalid') return problem('preference-unmet', 'code is a status from 200 to 599');
      const read = call.body ? readBody(call.body, mediaTypeOf(call) ?? '', jsonDepth) : { values: [] };
      if ('status' in read) return read;
      const example = exampleFor({ parameters }, operation.response.media[0]?.examples);
      const request = { operation, parameters, call, body: read.values[0], preference };
      return answerByPrism(request, { example, validate: true, instead: checkpoints?.body });
    },
  };
}
