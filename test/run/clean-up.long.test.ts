import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { ASSUMED_PARAMETERS } from '../../src/mock/tenant/assumed-parameters.ts';
import { renderText } from '../../src/report/text.ts';
import { verify } from '../../src/run/verify.ts';
import { found, run } from './run.ts';
import { CARD, type Fault, html, json } from './sandbox.ts';

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

describe.concurrent('resources that a run creates in a sandbox', () => {
  const options = {
    allow: 'destructive',
    writesAllowedOn: ['127.0.0.1'],
    facts: { card: { physical: true, currency: 'GBP' } },
  } as const;

  /** The cards that a run issues in a sandbox, and the removals that reached it. */
  async function issued(more: Parameters<typeof run>[0]) {
    const [report, { seen }] = await run({ ...options, ...more });
    const cards = (report.created ?? []).filter(({ operationId }) => operationId === 'issueNewCard');
    return { report, cards, removals: seen.filter(({ method }) => method === 'DELETE') };
  }

  const onIssue =
    (answer: (response: ServerResponse) => void): Fault =>
    ({ method, path }, response) => {
      const isIssue = method === 'POST' && path.endsWith('/cards');
      if (isIssue) answer(response);
      return isIssue;
    };

  test('D6: a created card with a numeric id is removed, and a failed removal is retried', async () => {
    let [next, tries] = [5000, 0];
    const issue = onIssue((response) => json(response, 201, { card: { cardId: ++next } }));
    const { cards, removals } = await issued({
      fault: (seen, response, count) => {
        if (seen.method !== 'DELETE') return issue(seen, response, count);
        tries += 1;
        return json(response, tries % 2 === 1 ? 500 : 200, {});
      },
    });
    expect(cards.length).toBeGreaterThan(0);
    expect(cards.every(({ removed, id }) => removed && /^5\d{3}$/.test(id))).toBe(true);
    expect(removals.map(({ path }) => path.split('/').at(-1))).toEqual(
      expect.arrayContaining(cards.map(({ id }) => id)),
    );
  });

  test('D14: the run removes nothing that existed before, whatever ids the answers contain', async () => {
    const old = { ...CARD, id: 'old-1' };
    const { cards, removals } = await issued({
      bodies: {
        'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards: [CARD, old] },
        'POST /wallet/api/customers/c-1/cards': { cardId: 'old-1' },
      },
    });
    expect(cards[0]).toMatchObject({ id: '(unknown)', removed: false, reason: 'its answer names no new id' });
    expect(removals).toEqual([]);
  });

  test('D14: beyond the limit of remembered ids the run removes nothing and reports the leftovers', async () => {
    const many = Array.from({ length: 60_000 }, (_, index) => ({ id: index }));
    let next = 0;
    const { cards, removals } = await issued({
      bodies: { 'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards: many } },
      fault: onIssue((response) => json(response, 201, { cardId: `new-${++next}` })),
    });
    expect(cards[0]).toMatchObject({ id: 'new-1', removed: false, reason: expect.stringContaining('100000 ids') });
    expect(removals).toEqual([]);
  });

  test('possible leftovers are listed, and nothing is removed for them', async () => {
    const { report, cards, removals } = await issued({ fault: onIssue((response) => html(response, 200)) });
    const reason = 'its answer was lost (answered 200 with HTML); it may have been created';
    expect(cards[0]).toEqual({ operationId: 'issueNewCard', id: '(unknown)', removed: false, reason });
    expect(removals).toEqual([]);
    expect(found(report)).not.toContain('contract-check-failed issueNewCard ');
  });
});
