import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { type Creation, createCreations } from '../../src/egress/created.ts';
import type { Call } from '../../src/model/call.ts';
import { type AnswerSpec, call } from '../judge/calls.ts';

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
