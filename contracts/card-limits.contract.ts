import { check, operation, parameters } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

const { body = {}, maxima } = operation('issueNewCard');

/** Issues a card with some limits. The reference does not show which field names the currency. */
const issueNewCard = (limits: object, currency: string) =>
  spec()
    .post('/wallet/api/customers/{customerId}/cards')
    .withPathParams(parameters)
    .withJson({ ...body, ...(Object.hasOwn(body, 'currency') && { currency }), ...limits });

// In major units: the reference does not state the unit of the fields.
for (const [currency, limits] of Object.entries(maxima)) {
  describe(`Card limits in ${currency} (API reference, Limits)`, () => {
    for (const [field, maximum] of Object.entries(limits)) {
      check(`cards.limit.${field}.${currency}`, async () => {
        await issueNewCard({ [field]: maximum + 1 }, currency).expect('refused', 'limit');
      });
    }

    check(`cards.limit-at-maximum.${currency}`, async () => {
      await issueNewCard(limits, currency).expect('success');
    });
  });
}
