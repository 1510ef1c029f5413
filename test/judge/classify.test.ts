import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { classify } from '../../src/judge/outage/classify.ts';
import type { Call } from '../../src/model/call.ts';
import { reasonText } from '../../src/model/reason.ts';
import { type AnswerSpec, call } from './calls.ts';

const RECORDING = `overlay: 1.0.0
x-provenance: observed
info: { title: recording, version: 1.0.0 }
actions:
  - target: "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses"
    update: { '200': { description: recorded } }
`;

const documented = await loadContract();
const recorded = await loadContract({ overlays: [{ file: 'recording.yaml', text: RECORDING }] });

const GOOD: AnswerSpec = { json: {} };
const kindOf = (subject: Call, others: readonly Call[], contract: Contract): string => {
  const judgement = classify([subject, ...others], contract).get(subject);
  return judgement?.kind === 'inconclusive'
    ? `inconclusive: ${reasonText(judgement.why)}`
    : (judgement?.kind ?? 'none');
};

/** Answer, kind alone, kind everywhere, kind alone if a 2xx was recorded. */
type Row = [name: string, answer: AnswerSpec, alone: RegExp, recordedAlone: RegExp];
const TABLE: readonly Row[] = [
  ['405', { status: 405 }, /^withdrawn$/, /^withdrawn$/],
  ['410', { status: 410 }, /^withdrawn$/, /^withdrawn$/],
  [
    '404',
    { status: 404 },
    /^inconclusive: answered 404; look at cardId$/,
    /^inconclusive: the target no longer knows cardId/,
  ],
  ['400', { status: 400 }, /^inconclusive: answered 400; look at cardId$/, /^status-changed$/],
  ['403', { status: 403 }, /^inconclusive: answered 403/, /^status-changed$/],
  ['409', { status: 409 }, /^inconclusive: answered 409/, /^status-changed$/],
  ['415', { status: 415 }, /^inconclusive: answered 415/, /^status-changed$/],
  ['422', { status: 422 }, /^inconclusive: answered 422/, /^status-changed$/],
  ['401', { status: 401 }, /^inconclusive: 401 with a fresh token/, /^inconclusive: 401/],
  ['500', { status: 500 }, /^failing$/, /^failing$/],
  ['501', { status: 501 }, /^failing$/, /^failing$/],
  ...[200, 403, 404, 405, 500, 502].map(
    (status): Row => [
      `${status} with HTML`,
      { status, type: 'text/html', text: '<html><TITLE>No\n entry</TITLE><p>Sorry' },
      /^inconclusive: it answers (HTML|\d+), while other operations/,
      /^inconclusive: it answers (HTML|\d+), while other operations/,
    ],
  ),
  ...[502, 503, 504].map(
    (status): Row => [
      String(status),
      { status },
      /^inconclusive: it answers \d+, while other operations/,
      /^inconclusive: it answers \d+, while other operations/,
    ],
  ),
  ['HTML with a JSON content type', { text: '<!DOCTYPE html><p>' }, /^inconclusive: it answers HTML/, /^inconclusive/],
  ['a truncated body', { text: '{', state: 'truncated' }, /^failing$/, /^failing$/],
  ['an undecodable body', { text: '{', state: 'undecodable' }, /^failing$/, /^failing$/],
  ['an unparsable body', { text: '{"a":' }, /^failing$/, /^failing$/],
  ['a reset', { failure: 'reset' }, /^failing$/, /^failing$/],
  ['silence', { failure: 'first-byte-timeout' }, /^failing$/, /^failing$/],
  ['no HTTP', { failure: 'malformed' }, /^failing$/, /^failing$/],
  ['429', { status: 429 }, /^inconclusive: it answers 429, also when asked again \(3 times in all\)$/, /^inconclusive/],
  [
    '503 with Retry-After',
    { status: 503, headers: [['retry-after', '60']] },
    /^inconclusive: it answers 503, also/,
    /^inconclusive/,
  ],
  ['408', { status: 408 }, /^inconclusive: it answers 408/, /^inconclusive/],
  ['a redirect', { status: 302 }, /^inconclusive: it redirects \(302\)/, /^inconclusive/],
  [
    'a redirect to another host',
    { status: 302, headers: [['location', 'https://login.example/x?token=secret']] },
    /^inconclusive: it redirects to login\.example \(302\);/,
    /^inconclusive/,
  ],
  ['304', { status: 304 }, /^inconclusive: it answers 304, though no condition was sent$/, /^inconclusive/],
  [
    'JSON beyond our depth limit',
    { text: `${'['.repeat(600)}${']'.repeat(600)}` },
    /^inconclusive: .*too deep/,
    /^inconclusive/,
  ],
  ['a header beyond our limit', { failure: 'too-large' }, /^inconclusive/, /^inconclusive/],
  ['a body beyond the limit', { text: '[', state: 'too-large' }, /^inconclusive: .*limit/, /^inconclusive/],
  ['an aborted call', { failure: 'aborted' }, /^inconclusive: .*the call was aborted/, /^inconclusive/],
];

describe('the meaning of an answer', () => {
  for (const [name, answer, alone, recordedAlone] of TABLE) {
    // With the retries of a run: the same answer three times.
    const subject = (): Call => call('getCard', [answer, answer, answer], { parameters: { cardId: 'k' } });

    test(`${name} from one operation`, () => {
      const first = subject();
      expect(kindOf(first, [call('getCardFees', GOOD)], documented)).toMatch(alone);
    });
    test(`${name} from one operation with a recorded 2xx`, () => {
      const first = subject();
      expect(kindOf(first, [call('getCardFees', GOOD)], recorded)).toMatch(recordedAlone);
    });
    test(`${name} from every operation`, () => {
      const first = subject();
      const others = [call('getCardFees', [answer, answer, answer]), call('getToken', { json: {} })];
      expect(kindOf(first, others, documented)).toMatch(/^inconclusive: /);
      expect(kindOf(first, others, recorded)).toMatch(/^inconclusive: /);
    });
    test(`${name} before a successful retry`, () => {
      const first = call('getCard', [answer, GOOD]);
      expect(kindOf(first, [call('getCardFees', GOOD)], documented)).toBe('good');
    });
  }

  test('a 2xx is good, even without a body', () => {
    for (const answer of [GOOD, { status: 204 }, { status: 201, text: '' }, { text: 'ok', type: 'text/plain' }]) {
      expect(kindOf(call('getCard', answer), [], documented)).toBe('good');
    }
  });

  test('a 404 of a deprecated form is a withdrawal only if its successor accepted the same parameters', () => {
    const parameters = { customerId: 'c', clientId: 'l', currency: 'GBP' };
    const absent: AnswerSpec[] = [{ status: 404 }, { status: 404 }];
    const gone = call('getCardFeesDeprecated', absent, { parameters });
    const successor = call('getCardFees', GOOD, { parameters });
    const other = call('getCardFees', GOOD, { parameters: { ...parameters, currency: 'EUR' } });
    expect(kindOf(gone, [successor], documented)).toBe('withdrawn');
    expect(kindOf(gone, [other], documented)).toMatch(/^inconclusive/);
    const current = call('getCardFees', absent, { parameters });
    expect(kindOf(current, [call('getCardFeesDeprecated', GOOD, { parameters })], documented)).toBe('withdrawn');
  });

  test('a 404 of an operation with a recorded 2xx is a withdrawal if its parameters worked elsewhere', () => {
    const gone = call('getCard', [{ status: 404 }, { status: 404 }], { parameters: { customerId: 'c', cardId: 'k' } });
    const served = call('updateCard', GOOD, { parameters: { customerId: 'c', clientId: 'l', cardId: 'k' } });
    expect(kindOf(gone, [served], recorded)).toBe('withdrawn');
    expect(kindOf(gone, [served], documented)).toMatch(/^inconclusive/);
  });

  test('a target that goes down during a run is down, not changed', () => {
    const before = call('getCardFees', GOOD);
    const down = call('getCard', [{ failure: 'reset' }, { failure: 'reset' }]);
    expect(kindOf(down, [before], documented)).toMatch(
      /^inconclusive: the target is out: no operation of it succeeds \(no answer\)$/,
    );
  });

  test('an operation that fails and answers again later had a transient failure', () => {
    const down = call('getCard', [{ status: 500 }, { status: 500 }]);
    const later = [call('getCard', GOOD), call('getCardFees', GOOD)];
    expect(kindOf(down, later, documented)).toBe('good');
  });

  test('a failed write is not retried and proves nothing', () => {
    const once = call('issueNewCard', { status: 500, method: 'POST' });
    expect(kindOf(once, [call('getCard', GOOD)], documented)).toMatch(/^inconclusive: 500, once/);
  });

  test('an outage of the token endpoint is never drift, for every kind of failure', () => {
    const outages: readonly AnswerSpec[] = [
      { status: 503 },
      { type: 'text/html', text: '<html>' },
      { failure: 'reset' },
      { failure: 'first-byte-timeout' },
      { text: '{"access_', state: 'truncated' },
    ];
    for (const outage of outages) {
      const token = call('getToken', [outage, outage, outage], { checkId: null, auth: 'client' });
      const served = [call('getCard', GOOD), call('getCardFees', GOOD)];
      expect(kindOf(token, served, documented)).toMatch(/^inconclusive: the token endpoint is out: /);
    }
  });

  test('an answer with Retry-After reports why it was not retried', () => {
    const busy: AnswerSpec = { status: 503, headers: [['retry-after', '1']] };
    const reason = 'the call is not repeated, because it may have been carried out';
    const write = call('issueNewCard', busy, { gaveUp: reason });
    expect(kindOf(write, [call('getCard', GOOD)], documented)).toBe(`inconclusive: it answers 503; ${reason}`);
  });

  test('a timeout reports its duration, which is not part of the fingerprint', () => {
    const silent = call('getCard', [{ failure: 'first-byte-timeout' }, { failure: 'first-byte-timeout' }]);
    const attempts = silent.attempts.map((attempt) => ({ ...attempt, startedAt: 0, endedAt: 10_004 }));
    const subject = { ...silent, attempts };
    const judgements = classify([subject, call('getCardFees', GOOD)], documented);
    expect(judgements.get(subject)).toEqual({
      kind: 'failing',
      actual: 'no answer in time (given up after 10 s)',
      shape: 'no answer in time',
    });
  });

  test('a working token endpoint does not prove that the API works', () => {
    const subject = call('getCard', { status: 410 });
    expect(kindOf(subject, [call('getToken', GOOD)], documented)).toMatch(/^inconclusive/);
  });

  test('calls with another purpose are not classified here', () => {
    const probe = call('getCard', { status: 401 }, { purpose: 'refuse-token', auth: 'none' });
    expect(classify([probe], documented).size).toBe(0);
  });

  test('a call that was not sent gives the reason', () => {
    const unsent = call('getCard', [], { notSent: 'the target does not answer' });
    expect(kindOf(unsent, [], documented)).toBe('inconclusive: the target does not answer');
  });
});
