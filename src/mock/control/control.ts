import { timingSafeEqual } from 'node:crypto';
import { createMatcher } from '../../contract/paths.ts';
import { ToolError } from '../../errors.ts';
import { isLoopback } from '../../net/host.ts';
import { createNamedOriginRule } from '../../net/origins.ts';
import { type Answer, answer, withHeaders } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { createCors } from '../pipeline/cors.ts';
import { createHostCheck, LOOPBACK } from '../pipeline/host.ts';
import { unavailable } from '../store/store.ts';
import type { Controls } from './controls.ts';
import { type Handlers, type OperationName, PREFIX, readInput, servedOperations } from './document.ts';
import { createEvents } from './events.ts';
import { missing, ok, Rejected, Reply } from './input.ts';
import { pageFile } from './page.ts';
import { handlersOf } from './routes.ts';

/**
 * Operations with special access rules. `open`: allowed origins may read them. `change`: guarded like a change, because
 * they return data that is masked elsewhere.
 */
const ACCESS: { readonly [Name in OperationName]?: 'open' | 'change' } = {
  getContract: 'open',
  getCredentials: 'change',
  saveSeed: 'change',
};

export function createControl(controls: Controls) {
  const guard = createGuard(controls);
  const events = createEvents(controls);
  const cors = createCors(controls.options.allowedOrigins);
  const handlers: Handlers = { ...handlersOf(controls), getEvents: ({ call }) => new Reply(events.open(call)) };
  const match = createMatcher(servedOperations(handlers));

  const handle = async (call: ReceivedRequest): Promise<Answer> => {
    const found = match(call.method === 'HEAD' ? 'GET' : call.method, call.path);
    const name = found?.kind === 'operation' ? found.operation.operationId : undefined;
    const access = name && ACCESS[name];
    const need = ['GET', 'HEAD', 'OPTIONS'].includes(call.method) ? 'read' : 'change';
    const refused = guard(call, need, access === 'open');
    if (refused) return refused;
    const isRead = call.method === 'GET' || call.method === 'HEAD';
    const file = isRead ? await pageFile(call, call.path.slice(PREFIX.length)) : undefined;
    if (file) return file;
    if (found === null || found.kind === 'bad-encoding') throw missing(`see ${PREFIX}/openapi.json`);
    if (found.kind === 'path') {
      const methods = found.pathMatches.map(({ method }) => method);
      const allow = [...methods, 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD');
      if (call.method === 'OPTIONS') return answer(204, null, 'assumed', ['allow', allow]);
      return problem('method-not-allowed', `this path takes ${allow}`, { headers: ['allow', allow] });
    }
    const kept = access === 'change' ? guard(call, access) : undefined;
    if (kept) return kept;
    const asked = await readInput(found.operation, call, found.pathParameters);
    const given = await handlers[name as OperationName]?.(asked as never);
    const { status } = found.operation;
    if (given instanceof Reply) return given.answer;
    const success = status === 204 ? answer(204, null, 'assumed') : ok(given, status);
    return access === 'open' ? withHeaders(success, cors.headers(call)) : success;
  };

  return {
    handle: (call: ReceivedRequest): Promise<Answer> => handle(call).catch(refusal),
    close: events.close,
  };
}

function refusal(error: unknown): Answer {
  if (error instanceof Rejected) return error.answer;
  if (!(error instanceof ToolError)) return unavailable(error);
  const errors =
    error.place?.pointer === undefined ? [] : [{ in: 'body', pointer: error.place.pointer, message: error.message }];
  return problem('control-input', [error.message, error.hint].filter(Boolean).join(' '), { members: { errors } });
}

export const CONTROL_TOKEN = 'x-mock-control-token';

/**
 * Access rules of the control API (rule H3). The Host must be the mock's. An Origin must be the mock's own, or an
 * allowed one that sends the control token. A change needs the token if it comes from a page, or if the mock is bound
 * beyond loopback. Scripts on loopback need no token.
 */
function createGuard({ options, token: wanted }: Controls) {
  const judgeHost = createHostCheck(options);
  const isNamed = createNamedOriginRule(options.allowedOrigins ?? []);
  const token = Buffer.from(wanted);
  const open = !isLoopback(options.host ?? LOOPBACK);

  const holdsToken = (call: ReceivedRequest): boolean => {
    const given = Buffer.from(field(call, CONTROL_TOKEN) ?? '');
    return given.length === token.length && timingSafeEqual(given, token);
  };

  return (call: ReceivedRequest, need: 'read' | 'change', isOpen = false): Answer | undefined => {
    const isChange = need !== 'read';
    const foreign = call.authority === undefined ? undefined : judgeHost(call.authority);
    if (foreign || isOpen) return foreign;
    const origin = field(call, 'origin');
    // behind a port forwarder, the page has an origin that the mock cannot recognise as its own
    const forwarded = origin !== undefined && isNamed(origin) && holdsToken(call);
    if (origin !== undefined && !forwarded && !isOwn(origin, call.authority)) {
      return refuse('a page of another origin may not use the control API');
    }
    const site = field(call, 'sec-fetch-site');
    const foreignSite = site === 'cross-site' || site === 'same-site';
    if (foreignSite && (isChange || field(call, 'sec-fetch-mode') !== 'navigate')) {
      return refuse('a page of another site may not use the control API');
    }
    const isScript = origin === undefined && site === undefined;
    if (!isChange || holdsToken(call) || (isScript && !open)) return undefined;
    return refuse(`send ${CONTROL_TOKEN} with the token that the mock printed when it started`);
  };
}

function isOwn(origin: string, authority: string | undefined): boolean {
  const own = authority?.toLowerCase();
  return own !== undefined && (origin.toLowerCase() === `http://${own}` || origin.toLowerCase() === `https://${own}`);
}

function refuse(detail: string): Answer {
  return problem('control-refused', detail);
}
