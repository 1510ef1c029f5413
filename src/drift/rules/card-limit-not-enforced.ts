import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** A card is issued with a limit above the maximum of its currency. */
export const cardLimitNotEnforced: RunRule = refusalRule('card-limit-not-enforced', 'refuse-limit', 'accepted', '4XX');
