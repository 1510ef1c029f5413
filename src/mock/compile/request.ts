import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { PlannedOperation } from './plan.ts';

export interface RoutedRequest {
  readonly kind: 'operation';
  readonly operation: PlannedOperation;
  /** Decoded once. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What a caller may ask of the answer by `Prefer` (RFC 7240) or, as with Prism, by `__code`, `__example`, `__dynamic` and `__seed` in the query. */
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
  /** Parsed where it is JSON, else text; undefined where there is none. */
  readonly body: unknown;
  readonly preference: Preference | undefined;
}

export type Payload = (request: AcceptedRequest) => Answer | Promise<Answer>;
