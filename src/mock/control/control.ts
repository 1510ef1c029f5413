import { ToolError } from '../../errors.ts';
import { type Answer, answer } from '../answer.ts';
import { type Call, mediaTypeOf } from '../call.ts';
import { problem } from '../problem.ts';
import type { Control, Controls } from './controls.ts';
import { createEvents } from './events.ts';
import { createGuard } from './guard.ts';
import { InputError } from './input.ts';
import type { Route } from './route.ts';
import { contractRoutes } from './routes/document.ts';
import { journalRoutes } from './routes/journal.ts';
import { mockRoutes } from './routes/mock.ts';
import { scenarioRoutes } from './routes/scenarios.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** Where the control API lives; no path of the API begins so. */
export const PREFIX = '/__mock';

/** All routes of the control API, in the order of its document. */
export function routesOf(controls: Controls): readonly Route[] {
  return [mockRoutes, scenarioRoutes, tokenRoutes, journalRoutes, webhookRoutes, contractRoutes].flatMap((routes) =>
    routes(controls),
  );
}

/** The control API of a running mock. */
export function createControl(controls: Controls): Control {
  const guard = createGuard(controls);
  const events = createEvents(controls);
  const routes = [
    ...routesOf(controls),
    { method: 'GET', path: '/events', answer: ({ call }) => events.open(call) } satisfies Route,
  ].filter((route) => (route as Route).there !== false);

  const handle = async (call: Call): Promise<Answer> => {
    const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(call.method);
    const refused = guard(call, isChange);
    if (refused) return refused;
    const path = call.path.slice(PREFIX.length);
    const found = routes.flatMap((route) => {
      const parameters = match(route.path, path);
      return parameters ? [{ route, parameters }] : [];
    });
    if (found.length === 0) return problem(404, 'no-such-control', `see ${PREFIX}/openapi.json`);
    const allow = [...found.map(({ route }) => route.method), 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD');
    if (call.method === 'OPTIONS') return answer(204, null, 'assumed', ['allow', allow]);
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    const chosen = found.find(({ route }) => route.method === method);
    if (!chosen) return problem(405, 'method-not-allowed', `this path takes ${allow}`, { headers: ['allow', allow] });
    const body = bodyOf(call);
    if (body instanceof Object && 'refused' in body) return body.refused as Answer;
    const query = new URLSearchParams(call.query);
    return chosen.route.answer({ call, query, body: body?.value, parameters: chosen.parameters });
  };

  return {
    handle: (call) => handle(call).catch(refusal),
    close: events.close,
  };
}

/** The parameters of a path that fits a template; null where it does not. */
function match(template: string, path: string): Record<string, string> | null {
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const there = given[index] ?? '';
    if (!part.startsWith('{')) {
      if (part !== there) return null;
      continue;
    }
    const value = decoded(there);
    if (value === '') return null;
    parameters[part.slice(1, -1)] = value;
  }
  return parameters;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
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
