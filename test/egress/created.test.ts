import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { type Creation, createCreations } from '../../src/egress/created.ts';
import type { Call } from '../../src/model/call.ts';
import { type AnswerSpec, call } from '../judge/calls.ts';
import { found, run } from '../run/run.ts';
import { CARD, type Fault, html, json } from '../run/sandbox.ts';

const TARGET = '/wallet/api/customers/42/cards';

const contract = await loadContract();

function made(
  answer: AnswerSpec,
  sent: unknown = { cardDesign: 'd', userId: 'u-3', cardLimitDaily: 100 },
  before = createCreations(() => contract),
): Creation | null {
  const issue = call('issueNewCard', answer, { parameters: { customerId: '42' } });
  const attempts = issue.attempts.map((attempt) => ({
    ...attempt,
    request: { ...attempt.request, method: 'POST', target: TARGET, body: Buffer.from(JSON.stringify(sent)) },
  }));
  return before.note({ ...issue, attempts } satisfies Call, { cardId: '19' });
}

const UNTOLD = { id: null, reason: 'its answer names no new id' };

describe('ids of created resources', () => {
  test.each<[string, AnswerSpec, string]>([
    ['a string', { json: { cardId: 'new' } }, 'new'],
    ['an integer', { json: { cardId: 5001 } }, '5001'],
    ['a name in another style', { json: { card_id: 'new' } }, 'new'],
    ['`id`', { json: { id: 'new', clientId: '7' } }, 'new'],
    ['an envelope', { json: { card: { cardId: 'new' }, meta: { id: 'request' } } }, 'new'],
    ['an envelope with `id`', { json: { data: { id: 7 } } }, '7'],
    ['the only item', { json: [{ cardId: 'new' }] }, 'new'],
    ['its own name before `id`', { json: { id: 'request', card: { cardId: 'new' } } }, 'new'],
  ])('the created id is found by %s', (_what, answer, id) => {
    expect(made(answer)).toEqual({ id });
  });

  test.each<[string, AnswerSpec]>([
    ['nothing', { status: 201 }],
    ['another name', { json: { providerCardId: 'pv-1' } }],
    ['the id of a parameter', { json: { cardId: '19' } }],
    ['a sent id', { json: { id: 'u-3' } }],
    ['a sent number', { json: { id: 100 } }],
    ['a number that lost its digits', { text: '{"cardId":12345678901234567890}' }],
    ['one of several ids', { json: { a: { cardId: 'x' }, b: { cardId: 'y' } } }],
    ['the `id` of one of several objects', { json: { card: { id: 'x' }, user: { id: 'y' } } }],
  ])('the created id is unknown with %s', (_what, answer) => {
    expect(made(answer)).toEqual(UNTOLD);
  });

  test.each<[string, AnswerSpec]>([
    ['a reset', { failure: 'reset' }],
    ['silence', { failure: 'first-byte-timeout' }],
    ['a cut body', { text: '{"cardId":"new"', state: 'truncated' }],
    ['HTML', { type: 'text/html', text: '<html>' }],
    ['a gateway', { status: 504 }],
  ])('a resource may exist if %s lost the answer', (_what, answer) => {
    expect(made(answer)).toEqual({
      id: null,
      reason: expect.stringMatching(/^its answer was lost .*may have been created$/),
    });
  });

  test.each<[string, Call]>([
    ['an earlier answer under its own name', call('listClientCards', { json: { cards: [{ card_id: 'old' }] } })],
    ['an earlier answer under `id`', call('getCard', { json: { a: [{ b: { id: 'old' } }] } })],
    ['an error answer', call('getCard', { status: 404, json: { id: 'old' } })],
    ['an earlier parameter', call('getCard', {}, { parameters: { cardId: 'old' } })],
    ['an earlier path', call('getCard', { target: '/cards/%6fld?x=1' })],
    ['an earlier query', call('getCard', { target: '/cards?after=old' })],
  ])('D14: the created id is never an id from %s', (_what, earlier) => {
    const before = createCreations(() => contract);
    before.note(earlier, {});
    expect(made({ json: { cardId: 'old' } }, {}, before)).toEqual(UNTOLD);
    expect(before.has('old')).toBe(false);
    expect(made({ json: { cardId: 'new' } }, {}, before)).toEqual({ id: 'new' });
    expect(before.has('new')).toBe(true);
  });

  test.each<[string, AnswerSpec]>([
    ['more ids than the run remembers', { json: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
    ['an answer that is too large to read', { state: 'too-large' }],
  ])('D14: no id counts as created after %s', (_what, answer) => {
    const before = createCreations(() => contract, 8);
    made({ json: { cardId: 'new' } }, {}, before);
    expect([before.has('new'), before.doubt]).toEqual([true, null]);
    before.note(call('listClientCards', answer), {});
    expect([before.has('new'), before.doubt]).toEqual([false, expect.stringContaining('more than 8 ids')]);
  });

  test('nothing is created if the call was certainly not processed', () => {
    for (const answer of [
      { status: 400 },
      { status: 409, json: { cardId: 'x' } },
      { status: 503 },
      { failure: 'refused' },
    ] as const)
      expect(made(answer)).toBe(null);
  });
});

describe.concurrent('created resources in a run', () => {
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
