import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CircumstancesOptions, circumstancesOf } from '../../src/contract/conditions.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { assumedOf } from '../../src/contract/contract-file.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { judge } from '../../src/judge/judge.ts';
import type { Call } from '../../src/model/call.ts';
import type { Finding } from '../../src/model/finding.ts';
import { reasonText } from '../../src/model/reason.ts';
import { packageRoot } from '../../src/package-root.ts';
import { call } from './calls.ts';
import { observed } from './observed.ts';

const OBSERVED = `  - target: $.paths
    update:
      /x/transactions/{transactionId}:
        get:
          operationId: getTransaction
          parameters: [{ name: transactionId, in: path, required: true, schema: {} }]
          responses:
            '200': { description: recorded }
  - target: "$.paths['/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}'].get.responses"
    update:
      '200':
        description: recorded
        content:
          application/json:
            schema:
              type: object
              required: [fees]
              properties:
                fees:
                  type: array
                  items: { type: object, properties: { amount: { anyOf: [{ type: number }, { type: 'null' }] } } }
`;

const contract = await loadContract();
const recorded = await loadContract({ overlays: [observed(OBSERVED)] });

const TOKEN = {
  access_token: `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.e30.c2ln`,
  expires_in: 3599,
  jti: 'j',
  scope: '',
  token_type: 'Bearer',
};

function findings(
  calls: readonly Call[],
  use: Contract = contract,
  { groups = use.folder.facts, ...known }: CircumstancesOptions = {},
): Finding[] {
  const circumstances = circumstancesOf({ groups, ...known });
  return [...judge({ contract: use, calls, circumstances, redact: (text) => text }).findings];
}

const brief = (list: readonly Finding[]): string[] =>
  list.map(
    ({ severity, rule, pointer, expected, actual }) => `${severity} ${rule} ${pointer} | ${expected} | ${actual}`,
  );

test('a token response that is not JSON is an error, and in other operations an info', () => {
  const text = JSON.stringify(TOKEN);
  expect(brief(findings([call('getToken', { text, type: 'text/plain' })]))).toEqual([
    'error content-type-contradicted  | application/json | text/plain',
  ]);
  expect(brief(findings([call('getCardFees', { text: 'a;b', type: 'text/csv' })]))).toEqual([
    'info undocumented-content-type  | JSON | text/csv',
  ]);
  expect(findings([call('getCard', { json: {}, type: 'application/vnd.bank+json; charset=utf-8' })])).toEqual([]);
});

describe('documented fields', () => {
  test('an empty 2xx is never an error', () => {
    for (const status of [200, 202, 204]) expect(findings([call('getCard', { status })])).toEqual([]);
  });

  test.each([
    [
      'an object without any of them',
      'getCard',
      { status: 'closed' },
      'inconclusive',
      /^nothing to compare: .* no documented field$/,
    ],
    [
      'a list whose items have no documented field',
      'listClientCards',
      [{ x: 1 }],
      'inconclusive',
      /^nothing to compare: /,
    ],
    ['an empty list', 'listClientCards', [], 'good', /^nothing to compare$/],
    ['an operation without documented fields', 'getCardFees', { fees: [] }, 'good', /^nothing to compare$/],
    ['an object with a documented field', 'getCard', { cardDesign: 'x' }, 'good', /^$/],
    ['an object with a conditional field', 'getCard', { token: 'x' }, 'inconclusive', /^nothing to compare: /],
  ] as const)('%s gets its verdict about documented fields', (_, operationId, json, kind, text) => {
    const one = call(operationId, { json });
    const judgement = judge({ contract, calls: [one], redact: (all) => all }).judgements.get(one);
    expect(judgement?.kind).toBe(kind);
    expect(
      judgement?.kind === 'good' ? judgement.note : judgement?.kind === 'inconclusive' && reasonText(judgement.why),
    ).toMatch(text);
  });

  test('one finding per cause, with its exchanges and the contradicted line', () => {
    const calls = [1, 2, 3].map(() => call('getCard', { json: { cardLimitDaily: 1.5 } }));
    const [finding, ...more] = findings(calls);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'type-contradicted',
      severity: 'error',
      provenance: 'documented',
      operationId: 'getCard',
      method: 'GET',
      path: '/wallet/api/customers/{customerId}/cards/{cardId}',
      pointer: '/cardLimitDaily',
      expected: 'integer',
      actual: 'number',
      reference: 'API reference, Resources, Card',
      occurrences: 3,
      exchanges: calls.flatMap(({ attempts }) => attempts.map(({ seq }) => seq)),
    });
    expect(finding?.location).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    const text = contract.placeOf('/components/schemas/Card/properties/cardLimitDaily/type');
    expect(finding?.location).toEqual({ file: text.file, line: text.line, column: text.column });
  });

  test('a list is checked item by item, in an array or an envelope, but not if neither matches', () => {
    const item = { cardDesign: 7 };
    expect(brief(findings([call('listClientCards', { json: [item, {}, item] })]))).toEqual([
      'error type-contradicted /*/cardDesign | string | integer',
    ]);
    expect(brief(findings([call('listClientCards', { json: { total: 2, data: [item] } })]))).toEqual([
      'error type-contradicted /data/*/cardDesign | string | integer',
    ]);
    expect(findings([call('listClientCards', { json: { a: [item], b: [item] } })])).toEqual([]);
    expect(findings([call('listClientCards', { json: [] })])).toEqual([]);
  });

  test('settlementDate is a date-time in UTC: other offsets and impossible days contradict it', () => {
    const settled = (settlementDate: string): string[] =>
      brief(findings([call('getTransaction', { json: { paymentProviderDetails: { settlementDate } } })], recorded)).map(
        (line) => line.split(' | ')[0] ?? '',
      );
    expect(settled('2026-03-01T10:00:00Z')).toEqual([]);
    expect(settled('2026-03-01T10:00:00+00:00')).toEqual([]);
    expect(settled('2026-03-01T10:00:00+02:00')).toEqual([
      'error value-contradicted /paymentProviderDetails/settlementDate',
    ]);
    expect(settled('2026-02-30T10:00:00Z')).toEqual([
      'error format-contradicted /paymentProviderDetails/settlementDate',
    ]);
  });

  test('D5: fields, statuses and content types outside the reference are infos', () => {
    expect(brief(findings([call('getCard', { json: { embossedName: 'x', token: 'y' } })]))).toEqual([
      'info undocumented-field /embossedName | no such field | string',
    ]);
    expect(brief(findings([call('getCard', { status: 404 }), call('getCardFees', { json: {} })]))).toEqual([
      'info undocumented-status  | 2XX or 401 | 404',
    ]);
  });

  test('a difference from the recording is a warning (field, type or status); alternatives count once', () => {
    const warn = (answer: Parameters<typeof call>[1]): string[] =>
      brief(findings([call('getCardFees', answer)], recorded));
    expect(warn({ json: { fees: [{ amount: null }, { amount: 1 }] } })).toEqual([]);
    expect(warn({ json: {} })).toEqual([
      'warning required-missing /fees | array of object { amount?: number or null } | no such field',
    ]);
    expect(warn({ json: { fees: [{ amount: '1' }] } })).toEqual([
      'warning structure-contradicted /fees/*/amount | number or null | string',
    ]);
    expect(warn({ json: { fees: {} } })).toEqual([
      'warning type-contradicted /fees | array of object { amount?: number or null } | object',
    ]);
    expect(warn({ status: 201, json: { fees: [] } })).toEqual(['warning status-changed  | 200 | 201']);
  });
});

describe('requests that must be rejected', () => {
  const good = (): Call => call('getCard', { json: {} });
  const refused = (purpose: Call['purpose'], status: number, operationId = 'getCard', json: unknown = {}): string[] =>
    brief(
      findings([
        good(),
        call('issueNewCard', { json: {} }),
        // a run repeats a request that should have been rejected
        ...Array.from({ length: 2 }, () => call(operationId, { status, json }, { purpose })),
      ]),
    ).map((line) => line.split(' | ')[0]?.trim() ?? '');

  test('another 4xx proves nothing without a good answer', () => {
    expect(findings([call('getCard', { status: 403 }, { purpose: 'refuse-token' })])).toEqual([]);
  });

  test('wrong credentials and grants get no token', () => {
    expect(refused('refuse-credentials', 401, 'getToken')).toEqual([]);
    expect(refused('refuse-credentials', 200, 'getToken', { error: 'no' })).toEqual([]);
    expect(refused('refuse-credentials', 200, 'getToken', TOKEN)).toEqual(['error wrong-credentials-accepted']);
    expect(refused('refuse-grant', 200, 'getToken', TOKEN)).toEqual(['error wrong-grant-accepted']);
  });

  test("the two forms of the transaction fees reject each other's method", () => {
    for (const status of [404, 405, 501]) expect(refused('refuse-method', status, 'getTransactionFees')).toEqual([]);
    expect(refused('refuse-method', 200, 'getTransactionFees')).toEqual(['warning method-not-refused']);
  });

  test('violations of limits and security questions are reported if they are served', () => {
    expect(refused('refuse-limit', 422, 'issueNewCard')).toEqual([]);
    expect(refused('refuse-limit', 201, 'issueNewCard')).toEqual(['error card-limit-not-enforced']);
    expect(refused('refuse-precondition', 409, 'issueNewCard')).toEqual([]);
    expect(refused('refuse-precondition', 200, 'issueNewCard')).toEqual(['error security-questions-not-enforced']);
  });
});

describe('conditional fields', () => {
  const card = (cardId: string, more: object = {}): Call =>
    call('getCard', { json: { token: 'ctk', ...more } }, { parameters: { cardId } });
  const stated = (physical: boolean): CircumstancesOptions => ({
    facts: { card: { physical } },
    parameters: { cardId: 'k' },
  });
  /** Findings except new fields. */
  const against = (one: Call, options?: CircumstancesOptions, use = contract): string[] =>
    brief(findings([one], use, options).filter(({ rule }) => rule !== 'undocumented-field'));
  const AGAINST = 'error card-token-not-physical /token | no such field | string';

  test('a conditional field is checked if the config states the condition of the record', () => {
    expect(against(card('k'))).toEqual([]);
    expect(against(card('k'), stated(true))).toEqual([]);
    expect(against(card('k'), stated(false))).toEqual([AGAINST]);
    expect(against(card('other'), stated(false))).toEqual([]);
    const other = ['info parameter-echoed-differently /cardId | the parameter | another value'];
    expect(against(card('k', { cardId: 'other' }), stated(false))).toEqual(other);
    const [silent] = [call('getCard', { json: {} }, { parameters: { cardId: 'k' } })];
    expect(against(silent, stated(false))).toEqual([]);
  });

  test('a conditional field keeps the fingerprint and rule name of older baselines, and states its source line', () => {
    const [finding] = findings([card('k')], contract, stated(false));
    expect(finding).toMatchObject({
      fingerprint: '3e76f336c6805362',
      reference: 'API reference, Resources, Card',
      message: '/token is documented only for physical records, and this record is not physical.',
      location: { file: expect.stringContaining('card.yaml') },
    });
  });

  test('a conditional field is checked in list items that have an id', () => {
    const cards = [{ cardId: 'k', token: 'ctk' }, { cardId: 'other', token: 'ctk' }, { token: 'ctk' }];
    const list = call('listClientCards', { json: { cards } }, { parameters: { cardId: 'k' } });
    expect(against(list, stated(false))).toEqual([
      'error card-token-not-physical /cards/*/token | no such field | string',
    ]);
    expect(findings([list], contract, stated(false))[0]?.occurrences).toBe(1);
  });

  test("a conditional field is checked against the answer's own data only on a mock", () => {
    const virtual = card('k', { cardType: 'VIRTUAL' });
    expect(against(virtual, { assumed: assumedOf(ownFolder.assumed, 'mock') })).toEqual([AGAINST]);
    expect(against(virtual, { assumed: assumedOf(ownFolder.assumed, 'url') })).toEqual([]);
    expect(against(card('k', { cardType: 'PHYSICAL' }), { assumed: assumedOf(ownFolder.assumed, 'mock') })).toEqual([]);
    expect(against(virtual, { ...stated(true), assumed: assumedOf(ownFolder.assumed, 'mock') })).toEqual([]);
  });

  test('any field may have any condition, at any depth and from any source', async () => {
    const overlay = observed(`  - target: "$.components.schemas.Card.properties"
    update:
      credit: { type: object, properties: { ceiling: { type: number, x-only-when: granted } } }
`);
    const taught = await loadContract({ overlays: [overlay] });
    const groups = { loan: { of: 'cardId', members: { given: { type: 'boolean', condition: 'granted' } } } } as const;
    const known = (given: boolean): CircumstancesOptions => ({
      groups,
      facts: { loan: { given } },
      parameters: { cardId: 'k' },
    });
    const answer = card('k', { credit: { ceiling: 5 } });
    expect(against(answer, known(false), taught)).toEqual([
      'warning card-token-not-physical /credit/ceiling | no such field | integer',
    ]);
    expect(against(answer, known(true), taught)).toEqual([]);
  });

  test("a conditional field of another contract gets the engine's rule name", async () => {
    const other = await loadContract({ folder: await readContractFolder(join(packageRoot, 'examples/second-api')) });
    const letter = call(
      'readLetter',
      { json: { letterNumber: '7', seaRoute: 'x' } },
      { parameters: { letterNumber: '7' } },
    );
    const known = { facts: { letter: { overseas: false } }, parameters: { letterNumber: '7' } };
    expect(against(letter, known, other)).toEqual(['error field-against-condition /seaRoute | no such field | string']);
    expect(against(letter, { ...known, facts: { letter: { overseas: true } } }, other)).toEqual([]);
  });
});

describe('documented maxima', () => {
  const letter = (body: unknown, status = 200): Call => {
    const sent = call('sendLetter', { status, json: { letterNumber: '7' } });
    const attempts = sent.attempts.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, body: Buffer.from(JSON.stringify(body)) },
    }));
    return { ...sent, attempts };
  };
  let limited: Contract;
  beforeAll(async () => {
    const overlay = observed(`  - target: "$.components.schemas.SendLetterRequest"
    update:
      allOf: [{ properties: { weight: { type: number, x-maximum-by-currency: { SEK: 10, DKK: 20 } } } }]
`);
    const folder = await readContractFolder(join(packageRoot, 'examples/second-api'));
    limited = await loadContract({ folder, overlays: [overlay] });
  });
  const of = (
    body: unknown,
    options: CircumstancesOptions = { assumed: limited.folder.assumed },
    status = 200,
  ): string[] => brief(findings([letter(body, status)], limited, options)).filter((line) => line.includes('limit'));

  test('a maximum is checked in any request that exceeds it and is served', () => {
    const BROKEN = 'error limit-not-enforced  | 4XX | 200';
    expect(of({ declaredValue: 9001, valueCurrency: 'sek' })).toEqual([BROKEN]);
    expect(of({ declaredValue: 9000, valueCurrency: 'SEK' })).toEqual([]);
    expect(of({ declaredValue: 9001, valueCurrency: 'NOK' })).toEqual([]);
    expect(of({ declaredValue: 9000 })).toEqual([]);
    expect(of({ declaredValue: 9001 })).toEqual([BROKEN]);
    expect(of({ weight: 11, valueCurrency: 'SEK' })).toEqual(['warning limit-not-enforced  | 4XX | 200']);
    expect(of({ weight: 11, valueCurrency: 'DKK' })).toEqual([]);
  });

  test('a rejected request proves that the maximum is enforced', () => {
    expect(of({ declaredValue: 9001, valueCurrency: 'SEK' }, { assumed: limited.folder.assumed }, 422)).toEqual([]);
  });

  test("a maximum uses the record's configured currency if the request has no currency", () => {
    const stated = { facts: { letter: { valueCurrency: 'DKK' } }, parameters: { letterNumber: '7' } };
    expect(of({ declaredValue: 6001, letterNumber: '7' }, stated)).toHaveLength(1);
    expect(of({ declaredValue: 6001, letterNumber: '8' }, stated)).toEqual([]);
  });
});

describe('deprecated forms', () => {
  const pair = (old: unknown, current: unknown): string[] =>
    brief(findings([call('getCardFees', { json: current }), call('getCardFeesDeprecated', { json: old })]));

  test('deprecated forms must have the shape of their successors, apart from values, order, item count and null', () => {
    expect(pair({ fees: [{ a: 1 }] }, { fees: [{ a: 2 }, { a: 3 }] })).toEqual([]);
    expect(pair({ fees: [] }, { fees: [{ a: 2 }] })).toEqual([]);
    expect(pair({ a: null }, { a: 'x' })).toEqual([]);
    expect(pair({ a: 1, b: 2.5 }, { b: 2, a: 1.5 })).toEqual([]);
    expect(pair({ fees: [{ a: '1' }] }, { fees: [{ a: 2 }] })).toEqual([
      'warning deprecated-shape-differs /fees/*/a | number | string',
    ]);
    expect(pair([{ a: 1 }], { fees: [{ a: 1 }] })).toEqual(['warning deprecated-shape-differs  | object | array']);
    expect(pair({}, { a: { b: 1 } })).toEqual(['warning deprecated-shape-differs /a | object | no such field']);
  });

  test('a recorded list that became an object is not compared inside', async () => {
    const fees = `responses:
        '200':
          description: recorded
          content:
            application/json:
              schema:
                type: object
                required: [fees]
                properties: { fees: { type: array, items: { type: object, properties: { per: { type: string } } } } }
`;
    const actions = ['getCardFees', 'getCardFeesDeprecated'].map((id) => {
      const { method, path } = contract.operation(id) ?? {};
      return `  - target: "$.paths['${path}'].${method?.toLowerCase()}"\n    update:\n      ${fees}`;
    });
    const both = await loadContract({ overlays: [observed(actions.join(''))] });
    const [current, old] = [{ fees: { first: {} } }, { fees: { first: { per: 'x' } } }];
    const calls = [call('getCardFees', { json: current }), call('getCardFeesDeprecated', { json: old })];
    expect(new Set(findings(calls, both).map(({ rule }) => rule))).toEqual(new Set(['type-contradicted']));
  });
});

const REFUSED = OBSERVED.replace("'200': { description: recorded }", "'403': { description: recorded }");

test('an unrecorded success in place of a rejection is reported', async () => {
  const refused = await loadContract({ overlays: [observed(REFUSED)] });
  const calls = [call('getTransaction', { json: {} })];
  expect(brief(findings(calls, refused))).toEqual(['warning status-changed  | 403 | 200']);
  expect(brief(findings(calls))).toEqual([]);
});

test('if a target serves nothing, its statuses are not reported per operation', () => {
  const refusals = ['getCard', 'getCardFees'].map((id) => call(id, { status: 422 }));
  expect(findings([call('getToken', { json: TOKEN }), ...refusals])).toEqual([]);
  expect(brief(findings([...refusals, call('getAccountFees', { json: {} })]))).toEqual([
    'info undocumented-status  | 2XX or 401 | 422',
    'info undocumented-status  | 2XX or 401 | 422',
  ]);
});

describe('one finding per cause', () => {
  const MOVABLE = `  - target: "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses"
    update:
      '200':
        description: recorded
        content:
          application/json:
            schema:
              type: object
              required: [id, state, holder, terms]
              properties:
                id: { type: string }
                state: { type: string }
                note: { type: string }
                terms: { type: string }
                holder: { type: object, required: [name, city], properties: { name: {}, city: {} } }
  - target: "$.paths['/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}'].get.responses"
    update: &fees
      '200':
        description: recorded
        content:
          application/json:
            schema: { type: object, required: [fee], properties: { fee: { type: number }, old: { type: string } } }
  - target: "$.paths['/iam/api/customers/{customerId}/client/{clientId}/card/fees/{currency}'].get.responses"
    update: *fees
`;
  const CARD = { id: 'k', state: 'on', terms: 't', holder: { name: 'n', city: 'c' } };
  let movable: Contract;
  beforeAll(async () => {
    movable = await loadContract({ overlays: [observed(MOVABLE)] });
  });
  const of = (json: unknown): string[] => brief(findings([call('getCard', { json })], movable));

  test('a removed and an added field are two findings if they cannot be matched', () => {
    const { state, ...rest } = CARD;
    expect(of({ ...rest, status: 17 })).toEqual([
      'warning required-missing /state | string | no such field',
      'warning unrecorded-field /status | no such field | integer',
    ]);
    expect(of({ ...rest, since: '2026-01-01T00:00:00Z' })).toHaveLength(2);
    expect(of({ ...rest, status: state, colour: 'red' })).toHaveLength(3);
    expect(of({ ...rest, meta: { state } })).toHaveLength(2);
  });

  test('a new field is one finding, even with null and several types', () => {
    const calls = [null, 1, 2.5, 'x'].map((fresh) => call('getCard', { json: { ...CARD, fresh } }));
    const [finding, ...more] = findings(calls, movable);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ pointer: '/fresh', actual: 'number or string or null', occurrences: 4 });
    expect(findings(calls.reverse(), movable)[0]?.fingerprint).toBe(finding?.fingerprint);
  });

  test('a deprecated form that changed since the recording is one finding, and a recorded difference is not a finding', () => {
    const pair = (old: unknown, current: unknown): string[] =>
      brief(findings([call('getCardFees', { json: current }), call('getCardFeesDeprecated', { json: old })], movable));
    expect(pair({ fee: 1 }, { fee: '1' })).toEqual(['warning type-contradicted /fee | number | string']);
    expect(pair({ fee: 1 }, { fee: 1, fresh: 1 })).toEqual([
      'warning unrecorded-field /fresh | no such field | integer',
    ]);
    expect(pair({ fee: 1, old: 'x' }, { fee: 1 })).toEqual([]);
  });
});

test('D4: findings and their order do not depend on the order of the calls', () => {
  const traffic = (): Call[] => [
    call('getCard', { json: { token: 1, cardDesign: 2, z: 1, a: 2 } }),
    call('getToken', { json: { ...TOKEN, jti: 1, scope: 2 } }),
    call('listClientCards', { json: [{ token: 3 }] }),
  ];
  const forth = findings(traffic());
  const back = findings(traffic().reverse());
  const strip = (list: readonly Finding[]) => list.map(({ exchanges: _, ...rest }) => rest);
  expect(strip(back)).toEqual(strip(forth));
  expect(forth.map(({ operationId }) => operationId)[0]).toBe('getToken');
});

test('field names from a target are redacted and shortened', () => {
  const long = 'x'.repeat(5000);
  const { findings: list } = judge({
    contract,
    calls: [call('getCard', { json: { [long]: 1, 'SECRET-name': 2 } })],
    redact: (text) => text.replaceAll('SECRET-name', '[redacted]'),
  });
  expect(JSON.stringify(list)).not.toContain('SECRET-name');
  expect(Math.max(...list.map(({ pointer }) => pointer.length))).toBeLessThan(400);
});
