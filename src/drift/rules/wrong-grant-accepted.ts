import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** The token endpoint gives a token for another grant. */
export const wrongGrantAccepted: RunRule = refusalRule('wrong-grant-accepted', 'refuse-grant', 'accepted', 'no token');
