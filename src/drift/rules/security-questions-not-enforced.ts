import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** A card is issued for a user who has answered no security questions. */
export const securityQuestionsNotEnforced: RunRule = refusalRule(
  'security-questions-not-enforced',
  'refuse-without-questions',
  'accepted',
  '4XX',
);
