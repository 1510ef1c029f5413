import { attempts, check, mock, parameters } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe, expect } from 'vitest';

const listLofts = () => spec().get('/v2/lofts').withPathParams(parameters);

// Tests the token client of the package on the embedded mock.
describe('After 401 the client gets a new token and retries once (Access)', () => {
  const ways = {
    'expired-token': mock.expireTokens,
    'invalidated-token': mock.revokeTokens,
    'refused-token': mock.refuseNext,
  };

  for (const [token, spoil] of Object.entries(ways)) {
    check(`unauthorised.renewed-after.${token}`, async () => {
      await listLofts().expect('success');
      await spoil();
      await listLofts().expect('success');
      expect((await attempts()).map(({ status }) => status)).toEqual([200, 401, 200]);
    });
  }

  check('unauthorised.second-401-surfaces', async () => {
    await mock.refuseNext(2);
    await listLofts().expectStatus(401);
    expect(await attempts()).toHaveLength(2);
  });

  check('unauthorised.single-flight', async () => {
    await mock.revokeTokens();
    const before = await mock.tokenRequests();
    await Promise.all(Array.from({ length: 8 }, () => listLofts().expect('success')));
    expect((await mock.tokenRequests()) - before).toBe(1);
  });
});
