import { check, parameters, roles } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

describe('A card has a token only if it is physical (API reference, Resources, Card)', () => {
  // In the embedded mock, a role names a virtual card. For a sandbox, the configuration states that.
  const { virtualCard: cardId = parameters.cardId } = roles;

  check('cards.token-only-physical', async () => {
    await spec()
      .get('/wallet/api/customers/{customerId}/cards/{cardId}')
      .withPathParams({ ...parameters, cardId })
      .expect('success')
      .expectJsonSchema({ properties: { token: false } });
  });
});
