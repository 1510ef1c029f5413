import type { Answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import { StoreError } from './store.ts';

/** The answer where the store does not take part. Anything else that was thrown is thrown again. */
export function unavailable(error: unknown): Answer {
  if (!(error instanceof StoreError)) throw error;
  return problem(503, 'store-unavailable', error.message, { headers: ['retry-after', '1'] });
}
