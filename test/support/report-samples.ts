import type { Finding } from '../../src/model/finding.ts';
import type { Check, Created, Report } from '../../src/model/report.ts';

/** A finding about a card field of another type; override the members under test. */
export function finding(over: Partial<Finding> = {}): Finding {
  return {
    fingerprint: '00000000000000a1',
    rule: 'type-contradicted',
    severity: 'error',
    provenance: 'documented',
    operationId: 'getCard',
    method: 'GET',
    path: '/wallet/api/customers/{customerId}/cards/{cardId}',
    pointer: '/cardLimitDaily',
    expected: 'integer',
    actual: 'string',
    message: '/cardLimitDaily is string, not integer.',
    reference: 'API reference, Resources, Card',
    occurrences: 2,
    location: { file: 'spec/schemas/card.yaml', line: 12, column: 7 },
    exchanges: [4, 9],
    checks: ['cards.shape.getCard'],
    ...over,
  };
}

/** Resources that a run created: a removed card, and a leftover user with this id. */
export function createdThings(left = 'u-78'): [removed: Created, left: Created] {
  return [
    { operationId: 'issueNewCard', id: 'k-77', removed: true, reason: '' },
    { operationId: 'createUser', id: left, removed: false, reason: 'the API has no way to remove it' },
  ];
}

export function check(over: Partial<Check> = {}): Check {
  return {
    id: 'cards.shape.getCard',
    operationId: 'getCard',
    kind: 'any',
    outcome: 'passed',
    reason: '',
    durationMs: 12,
    ...over,
  };
}

/** A report of a run against a URL that agrees; override the members under test. */
export function report(over: Partial<Report> = {}): Report {
  return {
    reportVersion: 1,
    tool: { name: 'banking-api-contract', version: '0.1.0' },
    command: 'verify',
    target: { kind: 'url', baseUrl: 'https://sandbox.example.com' },
    startedAt: '2026-11-20T02:00:00.000Z',
    durationMs: 4321,
    exitCode: 0,
    verdict: 'agrees',
    findings: [],
    accepted: [],
    stale: [],
    checks: [check()],
    coverage: { operations: [] },
    deprecations: [],
    ...over,
  };
}

/** A report with drift and an example of every part. */
export function fullReport(over: Partial<Report> = {}): Report {
  return report({
    startedAt: '2026-11-21T01:25:10.000Z',
    durationMs: 4210.5,
    exitCode: 1,
    verdict: 'drift',
    findings: [
      finding({
        severity: 'info',
        rule: 'undocumented-field',
        pointer: '/extra',
        provenance: 'assumed',
        location: null,
      }),
      finding({ operationId: 'listClientCards', severity: 'warning', rule: 'operation-withdrawn', pointer: '' }),
      finding(),
    ],
    accepted: [
      {
        fingerprint: 'ffffffffffffffff',
        reason: 'known to the bank',
        owner: 'ann',
        expires: '2027-01-01',
        finding: finding({ fingerprint: 'ffffffffffffffff' }),
      },
    ],
    stale: [{ fingerprint: 'eeee', why: 'its check ran and found nothing' }],
    checks: [
      check({ id: 'token.fields', operationId: 'getToken' }),
      check({ id: 'cards.get', outcome: 'failed', reason: 'type-contradicted' }),
      check({ id: 'fees.card', operationId: 'getCardFees', outcome: 'inconclusive', reason: '403 never recorded' }),
      check({
        id: 'located.getClients',
        operationId: 'getClients',
        outcome: 'skipped',
        reason: 'not located: the reference shows neither method nor path',
        why: { kind: 'not-located' },
      }),
      check({
        id: 'users.create',
        operationId: 'createUser',
        outcome: 'skipped',
        reason: 'missing parameter clientId, userId',
        why: { kind: 'missing-parameter', names: ['clientId', 'userId'] },
      }),
    ],
    coverage: {
      operations: [
        {
          operationId: 'getCard',
          located: 'documented',
          exercised: true,
          fields: [
            { pointer: '/token', provenance: 'documented', seen: 0, of: 2 },
            { pointer: '/cardLimitDaily', provenance: 'documented', seen: 2, of: 2 },
          ],
          notShown: ['mediaType'],
        },
        { operationId: 'createUser', located: 'documented', exercised: false, fields: [], notShown: [] },
        { operationId: 'getClients', located: null, exercised: false, fields: [], notShown: [] },
      ],
    },
    deprecations: [
      {
        operationId: 'getCardFeesDeprecated',
        successor: 'getCardFees',
        alive: true,
        sameShape: true,
        deprecation: '@1704067200',
        sunset: null,
      },
    ],
    ...over,
  });
}
