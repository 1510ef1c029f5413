import { createMatcher } from '../../contract/paths.ts';
import { decodePercent } from '../../text/decode.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import type { RoutedRequest } from '../compile/request.ts';
import { type Answer, answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { nearestTo } from './nearest.ts';

/** The matched operation, or a direct answer: 404, 405 with Allow, OPTIONS (RFC 9110, 9.3.7 and 15.5.6). */
export type Found =
  | RoutedRequest
  /** `there` is an operation at this path, usually with another method. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly there?: RoutedRequest | undefined };

export type Router = (call: ReceivedRequest) => Found;

/** Number of cached routes of a method. Clients request the same few paths again and again. */
const REMEMBERED = 500;

/**
 * Finds the planned operation for a raw method and path.
 * @param ids Real values for path parameters, used in the suggestions of a 404.
 */
export function createRouter(
  operations: readonly PlannedOperation[],
  ids: () => Readonly<Record<string, string>>,
): Router {
  const match = createMatcher(operations);
  const known = new Map<string, Map<string, RoutedRequest>>();

  const find = (method: string, path: string): Found => {
    const routes = known.get(method) ?? new Map<string, RoutedRequest>();
    const before = routes.get(path);
    if (before) return before;
    const found = match(method, path);
    if (found === null) return nowhere(method, path);
    if (found.kind === 'bad-encoding') return done(problem('bad-target', 'the path holds a bad percent-escape'));
    // if the contract does not describe HEAD, it is GET without the body
    if (found.kind === 'path' && method === 'HEAD' && found.pathMatches.some((one) => one.method === 'GET'))
      return find('GET', path);
    if (found.kind === 'path') return otherwise(method, path, found.pathMatches);
    if (routes.size >= REMEMBERED) routes.clear();
    const located: RoutedRequest = { kind: 'operation', operation: found.operation, parameters: found.pathParameters };
    known.set(method, routes.set(path, located));
    return located;
  };

  const nowhere = (method: string, path: string): Found => {
    const nearest = nearestTo(method, path, operations, ids());
    const suggested = nearest.map((one) => `${one.method} ${one.path}`).join(', or ');
    const hint = suggested === '' ? '' : `. Did you mean ${suggested}?`;
    const detail = `no operation of the contract has this path, by any method${hint}`;
    return done(problem('no-such-path', detail, nearest.length > 0 ? { members: { nearest } } : {}));
  };

  const otherwise = (method: string, path: string, there: readonly PlannedOperation[]): Found => {
    const methods = new Set<string>(there.map((one) => one.method));
    if (methods.has('GET')) methods.add('HEAD');
    const allow = [...methods.add('OPTIONS')].join(', ');
    const located = there[0] && find(there[0].method, path);
    const other = located?.kind === 'operation' ? located : undefined;
    if (method === 'OPTIONS') return done(answer(204, null, 'assumed', ['allow', allow]), other);
    return done(problem('method-not-allowed', `this path takes ${allow}`, { headers: ['allow', allow] }), other);
  };

  return ({ method, path, query }) => {
    const found = find(method, path);
    if (found.kind !== 'operation' || decodePercent(query) !== undefined) return found;
    return done(problem('bad-target', 'the query holds a bad percent-escape'), found);
  };
}

function done(given: Answer, there?: RoutedRequest): Found {
  return { kind: 'answer', answer: given, there };
}
