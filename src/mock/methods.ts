import { type Answer, answer } from './answer.ts';
import type { Call } from './call.ts';
import { methodChangeHint } from './deprecation.ts';
import type { PlannedOperation } from './plan.ts';
import { problem } from './problem.ts';
import type { Route, Router } from './router.ts';

/** Where a request belongs, or the answer that needs no operation: 404, 405 with Allow, OPTIONS (RFC 9110, 9.3.7 and 15.5.6). */
export type Found =
  | Located
  /** `there` is an operation that stands at the path, under another method. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly there?: Located };

export type Located = Extract<Route, { kind: 'operation' }>;

export function createMethodCheck(route: Router, all: readonly PlannedOperation[]): (call: Call) => Found {
  return (call) => {
    const { method, path } = call;
    // HEAD is GET without the body
    const found = route(method === 'HEAD' ? 'GET' : method, path);
    if (found.kind === 'operation') return found;
    if (found.kind === 'bad-encoding') return done(problem(400, 'bad-target', 'the path holds a bad percent-escape'));
    if (found.kind === 'none')
      return done(problem(404, 'no-such-path', 'no operation of the contract has this path, by any method'));
    const there = found.operations;
    const allow = allowed(there);
    const located = there[0] ? route(there[0].method, path) : undefined;
    const other = located?.kind === 'operation' ? located : undefined;
    if (method === 'OPTIONS') return done(answer(204, null, 'assumed', ['allow', allow]), other);
    const hint = methodChangeHint(method, there, all);
    const detail = `this path takes ${allow}${hint === undefined ? '' : `. ${hint}`}`;
    return done(problem(405, 'method-not-allowed', detail, { headers: ['allow', allow] }), other);
  };
}

function done(given: Answer, there?: Located): Found {
  return { kind: 'answer', answer: given, ...(there ? { there } : {}) };
}

function allowed(there: readonly PlannedOperation[]): string {
  const methods = new Set<string>(there.map((operation) => operation.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
