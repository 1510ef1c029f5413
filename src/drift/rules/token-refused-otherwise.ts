import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** A request without an acceptable token is refused, but not with 401. */
export const tokenRefusedOtherwise: RunRule = refusalRule(
  'token-refused-otherwise',
  'refuse-token',
  'otherwise',
  '401',
);
