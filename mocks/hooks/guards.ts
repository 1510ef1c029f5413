import type { HookInput } from 'banking-api-contract/contract';

/**
 * "Issuing a card for a user of one specific external card provider requires that user to have answered security
 * questions" (API reference, Behavioural rules 1). We assume that it is the second provider.
 */
export function securityQuestionsBeforeIssuing({ named, profile }: HookInput): boolean {
  const user = named('userId');
  if (user === undefined || (user.cardProvider ?? profile.cardProvider) !== 'second') return true;
  return Array.isArray(user.credentials) && user.credentials.includes('SECURITY_QUESTIONS');
}
