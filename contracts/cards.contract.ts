import { check, roles } from 'banking-api-contract/contract';

// Behavioural rules 1. No field of the reference says which provider asks for it, nor how a request names its user.
const { userNeedingQuestions: userId = null } = roles;
const ofUser = userId === null ? {} : { parameters: { userId } };
check({
  id: 'cards.security-questions-first',
  operationId: 'issueNewCard',
  calls: [
    { purpose: 'refuse-precondition', json: { userId } },
    { operationId: 'createSecurityQuestions', ...ofUser },
    { json: { userId } },
  ],
  skip:
    userId === null
      ? 'needs a user of that card provider who has answered no questions; how a request names its user is not shown'
      : null,
});
