test('jest, as CommonJS', async () => {
  const { startMock } = await import('banking-api-contract');
  const { createTokenProvider, withToken } = await import('banking-api-contract/client');
  const { Card } = await import('banking-api-contract/validators/card');
  expect(Card.is({})).toBe(true);
  const mock = await startMock();
  const api = withToken(fetch, createTokenProvider({ baseUrl: mock.url, ...mock.credentials }));
  expect((await api(`${mock.url}/wallet/api/customers/cust-1001/cards/card-4001`)).status).toBe(200);
  await mock.close();
});
