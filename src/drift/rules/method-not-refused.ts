import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** An operation answers to the method of its other form. */
export const methodNotRefused: RunRule = refusalRule('method-not-refused', 'refuse-method', 'accepted', '4XX');
