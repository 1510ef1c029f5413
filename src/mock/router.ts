import { createMatcher, type Match } from '../spec/match.ts';
import type { PlannedOperation } from './plan.ts';

/** The operation of a request, or why there is none. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: PlannedOperation;
      /** Decoded once. */
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** The path is there, under other methods. */
  | { readonly kind: 'path'; readonly operations: readonly PlannedOperation[] }
  | { readonly kind: 'bad-encoding' }
  | { readonly kind: 'none' };

export type Router = (method: string, path: string) => Route;

/** How many routes of real requests are remembered; the same few paths are asked again and again. */
const REMEMBERED = 500;

const NONE: Route = { kind: 'none' };
const BAD_ENCODING: Route = { kind: 'bad-encoding' };

/** Finds the planned operation of a method and path as sent. */
export function createRouter(operations: readonly PlannedOperation[]): Router {
  const match = createMatcher(operations);
  const known = new Map<string, Route>();
  return (method, path) => {
    const key = `${method} ${path}`;
    const before = known.get(key);
    if (before) return before;
    const route = toRoute(match(method, path));
    if (route.kind === 'operation') {
      if (known.size >= REMEMBERED) known.clear();
      known.set(key, route);
    }
    return route;
  };
}

function toRoute(found: Match<PlannedOperation> | null): Route {
  if (!found) return NONE;
  if (found.kind === 'bad-encoding') return BAD_ENCODING;
  if (found.kind === 'path') return { kind: 'path', operations: found.pathMatches };
  return { kind: 'operation', operation: found.operation, parameters: found.pathParameters };
}
