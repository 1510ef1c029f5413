import { ToolError } from '../../errors.ts';
import { createMatcher } from '../../spec/match.ts';
import { type Answer, answer } from '../answer.ts';
import { type Call, mediaTypeOf } from '../call.ts';
import { problem } from '../problem.ts';
import type { Control, Controls, Route } from './controls.ts';
import { createEvents } from './events.ts';
import { createGuard } from './guard.ts';
import { InputError } from './input.ts';
import { routesOf } from './routes.ts';

/** Where the control API lives; no path of the API begins so. */
export const PREFIX = '/__mock';

/** The control API of a running mock. */
export function createControl(controls: Controls): Control {
  const guard = createGuard(controls);
  const events = createEvents(controls);
  const stream: Route = { method: 'GET', path: '/events', answer: ({ call }) => events.open(call) };
  const match = createMatcher([...routesOf(controls), stream]);

  const handle = async (call: Call): Promise<Answer> => {
    const refused = guard(call, !['GET', 'HEAD', 'OPTIONS'].includes(call.method));
    if (refused) return refused;
    const found = match(call.method === 'HEAD' ? 'GET' : call.method, call.path.slice(PREFIX.length));
    if (found === null || found.kind === 'bad-encoding')
      return problem(404, 'no-such-control', `see ${PREFIX}/openapi.json`);
    if (found.kind === 'path') {
      const methods = found.pathMatches.map(({ method }) => method);
      const allow = [...methods, 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD');
      if (call.method === 'OPTIONS') return answer(204, null, 'assumed', ['allow', allow]);
      return problem(405, 'method-not-allowed', `this path takes ${allow}`, { headers: ['allow', allow] });
    }
    const body = bodyOf(call);
    if (body instanceof Object && 'refused' in body) return body.refused as Answer;
    const query = new URLSearchParams(call.query);
    return found.operation.answer({ call, query, body: body?.value, parameters: found.pathParameters });
  };

  return {
    handle: (call) => handle(call).catch(refusal),
    close: events.close,
  };
}

function bodyOf(call: Call): { readonly value: unknown } | { readonly refused: Answer } | undefined {
  if (!call.body) return undefined;
  // no form of a foreign page has this type
  if (mediaTypeOf(call) !== 'application/json') {
    return { refused: problem(415, 'unsupported-type', 'the control API takes application/json') };
  }
  try {
    return { value: JSON.parse(call.body.toString()) as unknown };
  } catch {
    return { refused: problem(400, 'bad-body', 'the body is no JSON') };
  }
}

/** What a route threw: a mistake of the caller, or a fault. */
function refusal(error: unknown): Answer {
  if (error instanceof InputError) {
    const errors = [{ in: 'body', pointer: error.pointer, message: error.message }];
    return problem(422, 'control-input', `${error.pointer || 'the body'} ${error.message}`, { members: { errors } });
  }
  if (!(error instanceof ToolError)) throw error;
  const errors =
    error.place?.pointer === undefined ? [] : [{ in: 'body', pointer: error.place.pointer, message: error.message }];
  return problem(422, 'control-input', [error.message, error.hint].filter(Boolean).join(' '), { members: { errors } });
}
