import type { Finding } from '../../src/model/finding.ts';
import type { Report } from '../../src/model/report.ts';

export function finding(over: Partial<Finding> = {}): Finding {
  return {
    fingerprint: '0123456789abcdef',
    rule: 'field-type',
    severity: 'error',
    provenance: 'documented',
    operationId: 'getCard',
    method: 'GET',
    path: '/wallet/api/customers/{customerId}/cards/{cardId}',
    pointer: '/cardLimitDaily',
    expected: 'integer',
    actual: 'string',
    message: 'Get card sends cardLimitDaily as a string.',
    reference: 'API reference, Resources: Card',
    occurrences: 2,
    location: { file: 'spec/schemas/card.yaml', line: 12, column: 5 },
    exchanges: [3, 7],
    ...over,
  };
}

/** A report with something of everything. */
export function report(over: Partial<Report> = {}): Report {
  return {
    reportVersion: 1,
    tool: { name: 'banking-api-contract', version: '0.1.0' },
    command: 'verify',
    target: { kind: 'url', baseUrl: 'https://sandbox.example' },
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
        fingerprint: 'ffff',
        reason: 'known to the bank',
        owner: 'ann',
        expires: '2027-01-01',
        finding: finding({ fingerprint: 'ffff' }),
      },
    ],
    stale: [{ fingerprint: 'eeee', why: 'its check ran and found nothing' }],
    checks: [
      { id: 'token.fields', operationId: 'getToken', kind: 'any', outcome: 'passed', reason: '', durationMs: 12 },
      { id: 'cards.get', operationId: 'getCard', kind: 'any', outcome: 'failed', reason: 'field-type', durationMs: 12 },
      {
        id: 'fees.card',
        operationId: 'getCardFees',
        kind: 'any',
        outcome: 'inconclusive',
        reason: '403 never recorded',
        durationMs: 9,
      },
      {
        id: 'located.getClients',
        operationId: 'getClients',
        kind: 'any',
        outcome: 'skipped',
        reason: 'not located: the reference shows neither method nor path',
        durationMs: 0,
      },
      {
        id: 'users.create',
        operationId: 'createUser',
        kind: 'any',
        outcome: 'skipped',
        reason: 'missing parameter clientId, userId',
        durationMs: 0,
      },
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
  };
}
