import { check, operation, parameters } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

// In major units: the reference does not show the unit of the fields.
const MAXIMA = {
  GBP: { cardLimitDaily: 100_000, cardLimitMonthly: 250_000, cardLimitTransaction: 100_000 },
  EUR: { cardLimitDaily: 115_000, cardLimitMonthly: 290_000, cardLimitTransaction: 115_000 },
} as const;

const { body = {} } = operation('issueNewCard');

/** Issues a card with some limits. The reference does not show which field names the currency. */
const issueNewCard = (limits: object, currency: string) =>
  spec()
    .post('/wallet/api/customers/{customerId}/cards')
    .withPathParams(parameters)
    .withJson({ ...body, ...(Object.hasOwn(body, 'currency') && { currency }), ...limits });

for (const [currency, maxima] of Object.entries(MAXIMA)) {
  describe(`Card limits in ${currency} (API reference, Limits)`, () => {
    for (const [field, maximum] of Object.entries(maxima)) {
      check(`cards.limit.${field}.${currency}`, async () => {
        await issueNewCard({ [field]: maximum + 1 }, currency).expect('refused', 'limit');
      });
    }

    check(`cards.limit-at-maximum.${currency}`, async () => {
      await issueNewCard(maxima, currency).expect('success');
    });
  });
}
