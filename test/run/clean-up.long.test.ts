import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { ASSUMED_PARAMETERS } from '../../src/mock/tenant/assumed-parameters.ts';
import { renderText } from '../../src/report/text.ts';
import { verify } from '../../src/run/verify.ts';

const mock = await startMock();

describe('resources that a run creates', () => {
  afterAll(() => mock.close());

  const options = () => ({
    target: mock.url,
    credentials: mock.credentials,
    parameters: ASSUMED_PARAMETERS,
    facts: { card: { physical: true, currency: 'GBP' } },
    writesAllowedOn: ['127.0.0.1'],
  });

  function cards(): string[] {
    const sent = mock.journal.entries({ operationId: 'deleteCard' });
    return sent.map(({ path }) => path.split('/').at(-1) ?? '');
  }

  test('created resources are listed, and cards are removed if permitted', async () => {
    const report = await verify({ ...options(), allow: 'destructive' });
    const issued = (report.created ?? []).filter(({ operationId }) => operationId === 'issueNewCard');
    expect(issued).not.toEqual([]);
    expect(issued.filter(({ removed }) => !removed)).toEqual([]);
    expect(cards()).toEqual(expect.arrayContaining(issued.map(({ id }) => id)));
    const user = report.created?.find(({ operationId }) => operationId === 'createUser');
    expect(user).toMatchObject({ removed: false, reason: 'no operation that removes it is known' });
    expect(renderText(report)).toContain('Created by this run');
  });

  test('created resources are listed with the reason if removal is not permitted, and nothing is removed', async () => {
    await mock.reset();
    const report = await verify({ ...options(), allow: 'write' });
    const issued = (report.created ?? []).filter(({ operationId }) => operationId === 'issueNewCard');
    expect(issued).not.toEqual([]);
    expect(new Set(issued.map(({ reason }) => reason))).toEqual(
      new Set(['destructive calls need --allow destructive']),
    );
    expect(cards()).toEqual([]);
  });

  test('a run with only reads creates nothing', async () => {
    expect(await verify(options())).not.toHaveProperty('created');
  });

  test('D7: requests per second stay within the limit', async () => {
    await mock.reset();
    await verify({ ...options(), limits: { perSecond: 25, concurrency: 5 } });
    const times = mock.journal.entries().map(({ startedAt }) => Date.parse(startedAt));
    const busiest = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
    expect(times.length).toBeGreaterThan(30);
    // one timer may fire slightly late and the next one on time
    expect(busiest).toBeLessThanOrEqual(30);
  });
});
