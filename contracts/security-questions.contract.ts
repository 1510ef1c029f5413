import { check, operation, parameters, roles } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

const { userNeedingQuestions: userId } = roles;

const issueNewCard = () =>
  spec()
    .post('/wallet/api/customers/{customerId}/cards')
    .withPathParams(parameters)
    .withJson({ ...operation('issueNewCard').body, userId });

describe('Security questions come before a card (API reference, Behavioural rules 1)', () => {
  const about = {
    operationId: 'issueNewCard',
    skip: userId
      ? null
      : 'needs a user of that card provider who has answered no questions; how a request names its user is not shown',
  };

  check('cards.security-questions-first', about, async () => {
    await issueNewCard().expect('refused', 'precondition');
    await spec()
      .post('/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/securityQuestions')
      .withPathParams({ ...parameters, userId })
      .withJson(operation('createSecurityQuestions').body ?? {})
      .expect('success');
    await issueNewCard().expect('success');
  });
});
