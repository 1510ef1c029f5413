import { attempts, check, mock, parameters } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe, expect } from 'vitest';

const getCardFees = () =>
  spec().get('/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}').withPathParams(parameters);

describe('A request without a valid token gets 401 (API reference, Errors)', () => {
  // Every other operation: every/operations.contract.ts.
  check('unauthorised.no-token.getCardFees', async () => {
    await getCardFees().withHeaders('authorization', '').expectStatus(401);
  });

  check('unauthorised.garbage-token.getCardFees', async () => {
    await getCardFees().withHeaders('authorization', 'Bearer garbage-token').expectStatus(401);
  });
});

// Tests our own token client on the embedded mock: a caller cannot expire a token of a bank's sandbox.
describe('After 401 the client gets a new token and retries once (API reference, Authentication 7)', () => {
  const ways = {
    'expired-token': mock.expireTokens,
    'invalidated-token': mock.revokeTokens,
    'refused-token': mock.refuseNext,
  };

  for (const [token, spoil] of Object.entries(ways)) {
    check(`unauthorised.renewed-after.${token}`, async () => {
      await getCardFees().expect('success');
      await spoil();
      await getCardFees().expect('success');

      const [, refused, retried, ...more] = await attempts();
      expect([refused?.status, retried?.status]).toEqual([401, 200]);
      expect(retried?.tokenId).not.toBe(refused?.tokenId);
      expect(more).toEqual([]);
    });
  }

  check('unauthorised.second-401-surfaces', async () => {
    await mock.refuseNext(2);
    await getCardFees().expectStatus(401);
    expect(await attempts()).toHaveLength(2);
  });

  check('unauthorised.single-flight', async () => {
    await mock.revokeTokens();
    const before = await mock.tokenRequests();
    await Promise.all(Array.from({ length: 8 }, () => getCardFees().expect('success')));
    expect((await mock.tokenRequests()) - before).toBe(1);
  });
});
