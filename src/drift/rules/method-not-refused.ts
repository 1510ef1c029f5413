import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** A form of the transaction fees answers to the method of the other form. */
export const methodNotRefused: RunRule = refusalRule('method-not-refused', 'refuse-method', 'accepted', '4XX');
