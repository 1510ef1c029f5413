import { check, parameters } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

const cardFeesDeprecated = () =>
  spec().get('/iam/api/customers/{customerId}/client/{clientId}/card/fees/{currency}').withPathParams(parameters);

const accountFeesDeprecated = () =>
  spec().get('/wallet/api/customers/{customerId}/client/{clientId}/account/fees/{currency}').withPathParams(parameters);

const transactionFeesDeprecated = () =>
  spec().get('/wallet/api/customers/{customerId}/clients/{clientId}/transactions/fees').withPathParams(parameters);

describe('The deprecated fee endpoints are still operative (API reference, Endpoints)', () => {
  check('fees.deprecated-answers.getCardFeesDeprecated', async () => {
    await cardFeesDeprecated().expect('success');
  });

  check('fees.deprecated-answers.getAccountFeesDeprecated', async () => {
    await accountFeesDeprecated().expect('success');
  });

  check('fees.deprecated-answers.getTransactionFeesDeprecated', async () => {
    await transactionFeesDeprecated().expect('success');
  });
});

describe('The method of the transaction fees has changed from GET to POST (API reference, Endpoints)', () => {
  check('fees.other-method.getTransactionFees', async () => {
    await spec()
      .get('/billing/api/customers/{customerId}/clients/{clientId}/transactions/fees')
      .withPathParams(parameters)
      .expect('refused');
  });

  check('fees.other-method.getTransactionFeesDeprecated', async () => {
    await spec()
      .post('/wallet/api/customers/{customerId}/clients/{clientId}/transactions/fees')
      .withPathParams(parameters)
      .expect('refused');
  });
});
