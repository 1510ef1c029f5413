import type { PlannedOperation } from '../compile/plan.ts';
import type { Wrong } from '../http/problem.ts';

/** A request that was judged as far as the mock itself judges, for Prism to answer. */
export interface EngineRequest {
  readonly operation: PlannedOperation;
  /** Path with its values percent-encoded in full: Prism misreads some marks, such as a comma. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
  readonly preference: Preference;
  /** Whether Prism is to judge the request too. */
  readonly judge: boolean;
  /** Whether the payload is to be made from the schema, whatever examples there are. */
  readonly ignoreExamples?: boolean;
}

/** What Prism made of it: an answer, or a refusal. */
export type EngineReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string; readonly wrong: readonly Wrong[] };

/** The part of Prism that the mock uses; its one implementation is in prism.ts. */
export interface Engine {
  respond(request: EngineRequest): Promise<EngineReply>;
}

/** What a caller may ask of the answer by `Prefer` (RFC 7240) or, as with Prism, by `__code`, `__example`, `__dynamic` and `__seed` in the query. */
export interface Preference {
  readonly code?: number | undefined;
  readonly exampleKey?: string | undefined;
  readonly dynamic?: boolean | undefined;
  readonly seed?: string | undefined;
}

const WISH = /(?:^|[,;])\s*(code|example|dynamic|seed)\s*=\s*(?:"([^"]*)"|([^\s,;]*))/gi;

/** The wishes of a request; undefined where it has none that the mock knows, and `'invalid'` for a code that is no status of a final answer. */
export function preferenceOf(prefer: string | undefined, query: string): Preference | 'invalid' | undefined {
  const wishes = new Map<string, string>();
  for (const [, name = '', quoted, plain] of prefer?.matchAll(WISH) ?? [])
    wishes.set(name.toLowerCase(), quoted ?? plain ?? '');
  if (query.includes('__')) {
    const asked = new URLSearchParams(query);
    for (const name of ['code', 'example', 'dynamic', 'seed']) {
      const value = asked.get(`__${name}`);
      if (value !== null && !wishes.has(name)) wishes.set(name, value);
    }
  }
  if (wishes.size === 0) return undefined;
  const code = wishes.get('code');
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) return 'invalid';
  return {
    code: code === undefined ? undefined : Number(code),
    exampleKey: wishes.get('example'),
    dynamic: wishes.get('dynamic')?.toLowerCase() === 'true',
    seed: wishes.get('seed'),
  };
}
