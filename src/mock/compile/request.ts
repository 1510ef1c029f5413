import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { PlannedOperation } from './plan.ts';

export interface RoutedRequest {
  readonly kind: 'operation';
  readonly operation: PlannedOperation;
  /** Percent-decoded once. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Wishes for the answer: `Prefer` (RFC 7240), or `__code`, `__example`, `__dynamic`, `__seed` (Prism) in the query. */
export interface Preference {
  readonly code?: number | undefined;
  readonly exampleKey?: string | undefined;
  readonly dynamic?: boolean | undefined;
  readonly seed?: string | undefined;
}

export interface AcceptedRequest {
  readonly operation: PlannedOperation;
  readonly parameters: Readonly<Record<string, string>>;
  readonly call: ReceivedRequest;
  /** Parsed if it is JSON, else text; undefined without a body. */
  readonly body: unknown;
  readonly preference: Preference | undefined;
}

export type Payload = (request: AcceptedRequest) => Answer | Promise<Answer>;
