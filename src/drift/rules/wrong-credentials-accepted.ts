import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** The token endpoint gives a token for a wrong password. */
export const wrongCredentialsAccepted: RunRule = refusalRule(
  'wrong-credentials-accepted',
  'refuse-credentials',
  'accepted',
  'no token',
);
