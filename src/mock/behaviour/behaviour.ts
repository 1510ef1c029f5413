import type { Answer } from '../answer.ts';
import type { PlannedOperation } from '../plan.ts';

/** A request that passed every check of form, about to be answered. */
export interface Judged {
  readonly operation: PlannedOperation;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The value of the body; undefined where there is none. */
  readonly body: unknown;
}

/** Something that the reference says of how the API behaves, or that the mock remembers: asked before the payload is made. */
export interface Behaviour {
  /** The operations that it cares about. */
  readonly operationIds: readonly string[];
  /** A refusal, or undefined to go on. */
  judge(request: Judged): Answer | undefined;
}

/** An own member of an object body; undefined where the body is no object or has none of the name. */
export function member(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  return (body as Readonly<Record<string, unknown>>)[name];
}
