import { expectThat } from './support/broken.ts';
import { check } from './support/check.ts';
import { anyRead } from './support/operations.ts';
import { operations } from './support/suite.ts';

for (const { operationId, auth: asks, located } of operations) {
  if (asks !== 'bearer' || located === null) continue;
  for (const [what, auth] of [
    ['no-token', 'none'],
    ['garbage-token', 'garbage'],
  ] as const) {
    check(
      {
        id: `unauthorised.${what}.${operationId}`,
        operationId,
        reference: 'Errors',
        calls: [{ auth, purpose: 'refuse-token' }],
      },
      async (t) => {
        await t.ask(operationId, { auth, purpose: 'refuse-token' });
      },
    );
  }
}

// What follows proves something of our own token client, on the embedded mock: on a bank's sandbox nothing can expire a token.
const read = anyRead().operationId;
const client = { purpose: 'client' } as const;

for (const action of ['expire', 'revoke', 'refuse'] as const) {
  const what = { expire: 'expired-token', revoke: 'invalidated-token', refuse: 'refused-token' }[action];
  check(
    {
      id: `unauthorised.renewed-after.${what}`,
      operationId: read,
      kind: 'mock-only',
      reference: 'Authentication 7',
      calls: [{ ...client, times: 2 }],
    },
    async (t) => {
      await t.ask(read, client);
      await t.mock(action, 1);
      const { status } = await t.ask(read, client);
      expectThat(status >= 200 && status < 300, 'a good answer', String(status));
      const [, before, after, ...more] = await t.attempts();
      expectThat(more.length === 0, 'one retry', `${more.length + 1} retries`);
      expectThat(before?.status === 401, '401 for the old token', String(before?.status));
      expectThat(before?.tokenId !== after?.tokenId, 'a new token for the retry', 'the old token again');
    },
  );
}

check(
  {
    id: 'unauthorised.second-401-surfaces',
    operationId: read,
    kind: 'mock-only',
    reference: 'Authentication 7',
    calls: [client],
  },
  async (t) => {
    await t.mock('refuse', 2);
    const { status } = await t.ask(read, client);
    expectThat(status === 401, '401', String(status));
    const { length } = await t.attempts();
    expectThat(length === 2, 'two attempts', `${length} attempts`);
  },
);

check(
  {
    id: 'unauthorised.single-flight',
    operationId: read,
    kind: 'mock-only',
    reference: 'Authentication 6 and 7',
    calls: [{ ...client, times: 8 }],
  },
  async (t) => {
    const before = await t.mock('revoke');
    const answers = await Promise.all(Array.from({ length: 8 }, () => t.ask(read, client)));
    const bad = answers.filter(({ status }) => status < 200 || status > 299);
    expectThat(bad.length === 0, 'good answers', `${bad.length} bad ones`);
    const requests = (await t.mock('state')) - before;
    expectThat(requests === 1, 'one token request', `${requests} token requests`);
  },
);
