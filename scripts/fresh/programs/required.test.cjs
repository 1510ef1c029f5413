const { startMock } = require('banking-api-contract');
const { Card } = require('banking-api-contract/validators/card');

test('jest, by require on Node 24.9 and newer', async () => {
  expect(Card.is({})).toBe(true);
  const mock = await startMock({ listen: false });
  expect((await mock.fetch('/wallet/api/customers/cust-1001/cards/card-4001')).status).toBe(401);
  await mock.close();
});
