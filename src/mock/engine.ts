import type { PlannedOperation } from './plan.ts';
import type { Preference } from './prefer.ts';
import type { Wrong } from './problem.ts';

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
