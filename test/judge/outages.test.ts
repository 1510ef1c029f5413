import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Judgement } from '../../src/judge/judgement.ts';
import { classify } from '../../src/judge/outage/classify.ts';
import { foreignAnswers } from '../../src/judge/outage/foreign.ts';
import { saidBy } from '../../src/judge/outage/reading.ts';
import { refusals } from '../../src/judge/outage/refusal.ts';
import type { Call } from '../../src/model/call.ts';
import { isOfOneCall, type Reason, reasonText } from '../../src/model/reason.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { type AnswerSpec, call } from './calls.ts';

const contract = await loadContract();

const CLIENT = { customerId: 'c', clientId: 'l' };
const CARD = { customerId: 'c', cardId: 'k' };
const GOOD: AnswerSpec = { json: {} };
const twice = (answer: AnswerSpec): AnswerSpec[] => [answer, answer];
const named = (why: Reason): string => (isOfOneCall(why) ? reasonText(why) : why.kind);
const meaningOf = (judgement: Judgement | undefined): string =>
  judgement?.kind === 'inconclusive' ? named(judgement.why) : (judgement?.kind ?? 'none');
const meaning = (subject: Call, ...calls: Call[]): string => meaningOf(classify(calls, contract).get(subject));

test('an outage that began before the last call of an operation is not a withdrawal', () => {
  const list = call('listClientCards', GOOD, { parameters: CLIENT });
  const card = call('getCard', twice({ status: 410 }), { parameters: CARD });
  expect(meaning(card, list, card)).toBe('service-out');
  const alive = call('listClientCards', GOOD, { parameters: CLIENT });
  expect(meaning(card, list, card, alive)).toBe('withdrawn');
});

/** The recorded answer of a fee operation: the operations have different fields. */
function recordedFees(id: string, index: number): string {
  const more = index % 2 === 0 ? '' : ', per: { type: string }';
  const item = `{ type: object, required: [name, amount], properties: { name: { type: string, x-seen: ${index + 3} }, amount: { type: number }${more} } }`;
  return `  - target: $.paths[*][?@.operationId=='${id}']
    update:
      responses:
        '200':
          description: as it was
          content:
            application/json:
              schema: { type: object, required: [fees], properties: { fees: { type: array, items: ${item} } } }
`;
}

describe('foreign answers', () => {
  const notice = (id: string, over: Partial<Call> = {}): Call =>
    call(id, { json: { status: 'maintenance', requestId: `r-${id}`, at: new Date().toISOString() } }, over);

  test('a foreign answer is equal for different operations, apart from ids and times, and contradicts one', () => {
    const calls = [notice('getCard'), notice('listClientCards'), notice('getCardFees')];
    const found = foreignAnswers(calls, contract, { redact: (text) => text });
    expect([...found.keys()]).toEqual(calls);
    const [answer] = found.values();
    expect(answer && reasonText(answer)).toMatch(
      /which does not belong to them \(“object \{ at: string, requestId: string, status: string \}”\)$/,
    );
    expect(meaning(calls[0] as Call, ...calls)).toBe('foreign-answer');
  });

  test('a quote of an answer shows no value of JSON, no part of a secret, and nothing that is not redacted', () => {
    const password = 'correct-horse-battery';
    const { text: redact } = createRedactor({ secrets: [password] });
    const saidOf = (answer: AnswerSpec): string => saidBy(call('getCard', answer), redact);
    expect(saidOf({ json: { holder: 'Ada Lovelace' } })).toBe('object { holder: string }');
    for (const length of [70, 80, 85, 95])
      expect(saidOf({ text: `<html>${'.'.repeat(length)}${password}`, type: 'text/html' })).not.toMatch(/correct/);
    expect(saidOf({ text: '<style>.a{}</style><html><h1>Maintenance</h1>', type: 'text/html' })).toBe('Maintenance');
    expect(saidOf({ text: '<html><TITLE>No\n entry</TITLE><p>Sorry', type: 'text/html' })).toBe('No entry');
    for (const text of ['<holder>Ada</holder>', '{"holder":"Ada"'])
      expect(saidOf({ text, type: 'application/octet-stream' })).toBe('');
    expect(saidBy(call('getCard', { text: 'Maintenance', type: 'text/plain' }), undefined)).toBe('');
  });

  test('a foreign answer may repeat method and path of the request', () => {
    const echo = (id: string, method: string): Call =>
      call(id, { json: { error: 'unavailable', method, message: `cannot ${method} /` }, method });
    const calls = [echo('getCard', 'GET'), echo('listClientCards', 'POST')];
    expect([...foreignAnswers(calls, contract).keys()]).toEqual(calls);
  });

  test('without documented payloads an answer is foreign if one operation also answered differently', () => {
    const notices = [notice('getCardFees'), notice('getAccountFees')];
    const before = call('getCardFees', { json: { fees: [], currency: 'GBP' } });
    expect([...foreignAnswers([before, ...notices], contract).keys()]).toEqual(notices);
    const alike = call('getCardFees', { json: { status: 'ok', fees: [] } });
    expect(foreignAnswers([alike, ...notices], contract).size).toBe(0);
  });

  test('a 204 for reads is foreign if requests without a token get it as well', () => {
    const none = ['getCard', 'listClientCards'].map((id) => call(id, { status: 204, text: '' }));
    const open = call('getCard', { status: 204, text: '' }, { purpose: 'refuse-token', auth: 'none' });
    expect(foreignAnswers([...none, open], contract).size).toBe(3);
    const writes = ['suspendCard', 'activateCard'].flatMap((id) => [
      call(id, { status: 204, text: '' }),
      call(id, { status: 204, text: '' }, { purpose: 'refuse-token', auth: 'none' }),
    ]);
    expect(foreignAnswers(writes, contract).size).toBe(0);
  });

  test('an answer is not foreign if payloads are unknown, the status is 204, or lists are empty', () => {
    const unknown = [notice('getCardFees'), notice('getAccountFees'), notice('getTransactionFees')];
    const none = ['getCard', 'listClientCards'].map((id) => call(id, { status: 204, text: '' }));
    const empty = ['listClientCards', 'getCardFees'].map((id) => call(id, { json: [] }));
    for (const calls of [unknown, none, empty]) expect(foreignAnswers(calls, contract).size).toBe(0);
  });

  describe('foreign answers of operations with a recorded payload', () => {
    const RECORDED = ['getCardFees', 'getAccountFees', 'getCardFeesDeprecated', 'getAccountFeesDeprecated'];
    let recorded: Contract;
    beforeAll(async () => {
      const text = RECORDED.map((id, index) => recordedFees(id, index)).join('');
      const overlay = `overlay: 1.0.0\nx-provenance: observed\ninfo: { title: r, version: '1' }\nactions:\n${text}`;
      recorded = await loadContract({ overlays: [{ file: 'recording.yaml', text: overlay }] });
    });
    const fees = { fees: [{ name: 'a1', amount: 12 }] };

    test('a 204 in place of several recorded bodies is foreign', () => {
      const none = ['getCardFees', 'getAccountFees', 'listClientCards'].map((id) =>
        call(id, { status: 204, text: '' }),
      );
      expect(foreignAnswers(none, recorded).size).toBe(3);
      const open = call('getCard', { status: 204, text: '' }, { purpose: 'refuse-token', auth: 'none' });
      expect(foreignAnswers([...none.slice(0, 1), open], recorded).size).toBe(2);
    });
    const all = (json: unknown): Call[] => RECORDED.map((id) => call(id, { json }));

    test.each([
      ['in an envelope', { data: fees }],
      ['in an envelope with further members', { meta: { took: 5 }, response: { data: fees } }],
      ['with another list name', { charges: fees.fees }],
      ['with names in another style', { Fees: [{ Name: 'a1', Amount: 12 }] }],
    ])('the payload of several operations %s is not foreign, even if their recorded fields differ', (_, json) => {
      expect(foreignAnswers(all(json), recorded).size).toBe(0);
    });

    test('an answer without any recorded field is foreign if the operations have different payloads', () => {
      const [first, second] = all({ status: 'maintenance' });
      const list = call('listClientCards', { json: { status: 'maintenance' } });
      const calls = [first, second, list].filter((one) => one !== undefined);
      expect([...foreignAnswers(calls, recorded).keys()]).toEqual(calls);
    });

    test('equal answers of operations with one payload are foreign if no operation answers well afterwards', () => {
      const strange = ['getCardFees', 'getCardFeesDeprecated'].map((id) =>
        call(id, twice({ json: { state: 'fine' } })),
      );
      const own = call('getAccountFees', { json: fees });
      expect([...foreignAnswers([own, ...strange], recorded).keys()]).toEqual(strange);
      const later = ['getAccountFees', 'getTransactionFees'].map((id) => call(id, { json: fees }));
      expect(foreignAnswers([...strange, ...later], recorded).size).toBe(0);
      expect(foreignAnswers([...strange, ...later], recorded, { suspected: true }).size).toBe(2);
    });
  });

  test('an answer to a missing token does not count as served', () => {
    const open = notice('getCardFees', { purpose: 'refuse-token', auth: 'none' });
    const calls = [open, notice('getCard'), notice('listClientCards')];
    expect(refusals(calls, contract).get(open)?.kind).toBe('inconclusive');
  });
});

describe('a write that returns not found or gone', () => {
  const write = (status: number): Call => call('suspendCard', { status, method: 'PUT' }, { parameters: CARD });
  const read = (answer: AnswerSpec | AnswerSpec[] = GOOD): Call => call('getCard', answer, { parameters: CARD });

  test.each([404, 405, 410])('a %i on a write is a withdrawal if the next read of the same ids succeeds', (status) => {
    const subject = write(status);
    expect(meaning(subject, subject, read())).toBe('withdrawn');
  });

  test('a 404 on a write proves nothing without a successful read afterwards', () => {
    const other = call('listClientCards', GOOD, { parameters: CLIENT });
    for (const reads of [[], [read({ status: 404 }), read()], [read([{ status: 404 }, GOOD])]]) {
      const before = read();
      const subject = write(404);
      const later = reads.map((one, index) => ({
        ...one,
        attempts: one.attempts.map((attempt) => ({ ...attempt, seq: attempt.seq + 1000 + index })),
      }));
      const calls = [
        before,
        subject,
        ...later,
        { ...other, attempts: other.attempts.map((a) => ({ ...a, seq: 9000 })) },
      ];
      expect(meaning(subject, ...calls)).toMatch(/once; it is not sent again/);
    }
  });
});

test('a card that the list still contains is not gone', () => {
  const card = call('getCard', twice({ status: 404 }), { parameters: CARD });
  const shown = call('listClientCards', { json: [{ id: 'k' }] }, { parameters: CLIENT });
  expect(meaning(card, card, shown)).toBe('answered 404; look at customerId, cardId');
});

describe('a sandbox reset', async () => {
  const located = await loadContract({
    overlays: [
      {
        file: 'paths.yaml',
        text: `overlay: 1.0.0
info: { title: paths, version: '1' }
actions:
  - target: $.paths
    update:
      /core/api/customers/{customerId}/clients: { get: { operationId: getClients } }
      /core/api/customers/{customerId}/clients/{clientId}: { get: { operationId: getClient } }
`,
      },
      {
        file: 'recording.yaml',
        text: `overlay: 1.0.0
x-provenance: observed
info: { title: r, version: '1' }
actions:
  - target: $.paths[*][?@.operationId=='getClient']
    update: { responses: { '200': { description: recorded } } }
`,
      },
    ],
  });
  const CUSTOMER = { customerId: 'c' };
  const client = (answer: AnswerSpec | AnswerSpec[] = twice({ status: 404 })): Call =>
    call('getClient', answer, { parameters: CLIENT });
  const fees = (): Call[] =>
    ['getCardFees', 'getAccountFees'].map((id) => call(id, { json: { fees: [] } }, { parameters: CLIENT }));
  const others = (size: number): object[] =>
    Array.from({ length: size }, (_, index) => ({ clientId: `other-${index}` }));
  const listed = (json: unknown, headers: AnswerSpec['headers'] = []): Call =>
    call('getClients', { json, headers }, { parameters: CUSTOMER });
  const afterReset = (json: unknown, headers?: AnswerSpec['headers'], answer?: AnswerSpec): string => {
    const subject = client(answer);
    return meaningOf(classify([subject, listed(json, headers), ...fees()], located).get(subject));
  };

  test.each<[string, unknown]>([
    ['a bare list', others(3)],
    ['an empty list', []],
    ['as many as its count', { clients: others(20), total: 20, next: null }],
    ['fewer than its page', { items: others(7), page: { size: 25, hasMore: false } }],
  ])('an id is gone if a whole list lacks it, although fees answer any id: %s', (_, json) => {
    expect(afterReset(json)).toBe('ids-gone');
  });

  test.each<[string, unknown, AnswerSpec['headers']?]>([
    ['a next link', { clients: others(3), next: '/clients?page=2' }],
    ['a cursor', { clients: others(3), meta: { nextCursor: 'x' } }],
    ['a larger count', { clients: others(3), totalCount: 4 }],
    ['a full page', { clients: others(5), limit: 5 }],
    ['a usual page', others(50)],
    ['a Link header', others(3), [['link', '</clients?page=2>; rel="next"']]],
  ])('an id that a part of a list lacks is not gone: %s', (_, json, headers) => {
    expect(afterReset(json, headers)).toBe('withdrawn');
  });

  test('an id is not gone if its own read answered 404 once, or if the list shows it', () => {
    expect(afterReset(others(3), [], { status: 404 })).not.toBe('ids-gone');
    expect(afterReset([{ clientId: 'l' }])).toBe('withdrawn');
  });

  test('an id is unknown if as many operations reject it as answer it', () => {
    const cards = call('listClientCards', twice({ status: 404 }), { parameters: CLIENT });
    const accounts = call('getAccountFeesDeprecated', twice({ status: 404 }), { parameters: CLIENT });
    const subject = client();
    const judgements = classify([subject, cards, accounts, listed(others(50)), ...fees()], located);
    expect(meaningOf(judgements.get(subject))).toBe('ids-gone');
  });
});

describe('an unexpected rejection of a bad token', () => {
  const refused = (id: string, auth: 'none' | 'garbage', status: number): Call =>
    call(id, { status, json: {} }, { purpose: 'refuse-token', auth });
  const kinds = (calls: readonly Call[]): string[] =>
    [...refusals([call('getCard', { json: { id: 'k' } }), ...calls], contract)].map(([, { kind }]) => kind);

  test.each([302, 400, 403, 404, 409])('one %s proves nothing, two are a finding', (status) => {
    expect(kinds([refused('getCard', 'none', status)])).toEqual(['inconclusive']);
    const twice = [refused('getCard', 'none', status), refused('getCard', 'garbage', status)];
    expect(kinds(twice)).toEqual(['otherwise', 'otherwise']);
    const again = [refused('getCard', 'none', status), refused('getCard', 'none', 401)];
    expect(kinds(again)).toEqual(['refused', 'refused']);
  });
});

describe('an outage that begins while requests without a token are sent', () => {
  const PAGE: AnswerSpec = { type: 'text/html', text: '<html>' };

  test.each([PAGE, { status: 403 }])(
    '%j proves nothing unless the service serves a good request afterwards',
    (answer) => {
      const good = (id: string): Call => call(id, GOOD, { parameters: CARD });
      const before = [good('getCard'), good('getCardFees')];
      const open = (['none', 'garbage'] as const).map((auth) =>
        call('getCard', answer, { purpose: 'refuse-token', auth }),
      );
      const kinds = (...later: Call[]): string[] =>
        [...refusals([...before, ...open, ...later], contract)].map(([, { kind }]) => kind);
      expect(kinds()).toEqual(['inconclusive', 'inconclusive']);
      expect(kinds(good('getCardFees'))).toEqual(['inconclusive', 'inconclusive']);
      expect(kinds(good('listClientCards'))).toEqual(['otherwise', 'otherwise']);
    },
  );
});

test('a method that is served once and then rejected counts as rejected', () => {
  const tried = (status: number): Call => call('getCardFees', { status, json: {} }, { purpose: 'refuse-method' });
  const kinds = [...refusals([tried(200), tried(405)], contract)].map(([, { kind }]) => kind);
  expect(kinds).toEqual(['refused', 'refused']);
});
