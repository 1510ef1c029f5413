import { check, expectThat } from 'banking-api-contract/contract';

// Proves something of our own token client, on the embedded mock: on a bank's sandbox nothing can expire a token.
for (const [what, action] of [
  ['expired-token', 'expire'],
  ['invalidated-token', 'revoke'],
  ['refused-token', 'refuse'],
] as const) {
  check(`unauthorised.renewed-after.${what}`, async (t) => {
    await t.call();
    await t.mock(action);
    const { status } = await t.call();
    expectThat(status >= 200 && status < 300, 'a good answer', String(status));
    const [, before, after, ...more] = await t.attempts();
    expectThat(more.length === 0, 'one retry', `${more.length + 1} retries`);
    expectThat(before?.status === 401, '401 for the old token', String(before?.status));
    expectThat(before?.tokenId !== after?.tokenId, 'a new token for the retry', 'the old token again');
  });
}

check('unauthorised.second-401-surfaces', async (t) => {
  await t.mock('refuse', 2);
  const { status } = await t.call();
  expectThat(status === 401, '401', String(status));
  const { length } = await t.attempts();
  expectThat(length === 2, 'two attempts', `${length} attempts`);
});

check('unauthorised.single-flight', async (t) => {
  const before = await t.mock('revoke');
  const answers = await Promise.all(Array.from({ length: 8 }, () => t.call()));
  const bad = answers.filter(({ status }) => status < 200 || status > 299);
  expectThat(bad.length === 0, 'good answers', `${bad.length} bad ones`);
  const requests = (await t.mock('state')) - before;
  expectThat(requests === 1, 'one token request', `${requests} token requests`);
});
