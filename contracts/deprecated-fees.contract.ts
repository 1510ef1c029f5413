import { check, operation, parameters, shapeOf } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

const cardFees = () =>
  spec().get('/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}').withPathParams(parameters);
const cardFeesDeprecated = () =>
  spec().get('/iam/api/customers/{customerId}/client/{clientId}/card/fees/{currency}').withPathParams(parameters);

const accountFees = () =>
  spec()
    .get('/billing/api/customers/{customerId}/client/{clientId}/account/fees/{currency}')
    .withPathParams(parameters);
const accountFeesDeprecated = () =>
  spec().get('/wallet/api/customers/{customerId}/client/{clientId}/account/fees/{currency}').withPathParams(parameters);

// The reference shows no payload. There is a body if an overlay gives an example.
const { body = {} } = operation('getTransactionFees');
const transactionFees = () =>
  spec()
    .post('/billing/api/customers/{customerId}/clients/{clientId}/transactions/fees')
    .withPathParams(parameters)
    .withJson(body);
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

describe('A deprecated form answers in the shape of its successor (API reference, Endpoints)', () => {
  check('fees.deprecated-shape.getCardFeesDeprecated', async () => {
    const current = await cardFees().expect('success').returns('.');
    await cardFeesDeprecated().expect('success').expectJsonSchema(shapeOf(current));
  });

  check('fees.deprecated-shape.getAccountFeesDeprecated', async () => {
    const current = await accountFees().expect('success').returns('.');
    await accountFeesDeprecated().expect('success').expectJsonSchema(shapeOf(current));
  });

  check('fees.deprecated-shape.getTransactionFeesDeprecated', async () => {
    const current = await transactionFees().expect('success').returns('.');
    await transactionFeesDeprecated().expect('success').expectJsonSchema(shapeOf(current));
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
