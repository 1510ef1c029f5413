import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** A request without a token, or with one that was never issued, is served. */
export const tokenNotRefused: RunRule = refusalRule('token-not-refused', 'refuse-token', 'accepted', '401');
