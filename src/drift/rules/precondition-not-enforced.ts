import type { RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

/** A request is served before that was done which the documentation asks for first. */
export const preconditionNotEnforced: RunRule = refusalRule(
  'precondition-not-enforced',
  'refuse-precondition',
  'accepted',
  '4XX',
);
