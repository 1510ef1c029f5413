import { EXIT } from '../../src/errors.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Check, DeprecationWatch, GoneFinding, Report, RunSummary } from '../../src/model/report.ts';
import { check, createdThings, finding, fullReport, report } from '../support/report-samples.ts';
import { saying } from './hostile.ts';

const DRIFT = { exitCode: EXIT.findings, verdict: 'drift' } as const;
const INCONCLUSIVE = { exitCode: EXIT.inconclusive, verdict: 'inconclusive' } as const;
const PREVIOUS = '2026-11-19T02:00:00.000Z';

const BROKEN = check({ outcome: 'failed', reason: 'type-contradicted: /cardLimitDaily is string, not integer.' });
const LEFT_OUT = check({
  id: 'users.answers.createUser',
  operationId: 'createUser',
  outcome: 'skipped',
  reason: 'missing parameter userId',
  why: { kind: 'missing-parameter', names: ['userId'] },
});
const unclear = (id: string, reason: string): Check => check({ id, outcome: 'inconclusive', reason });
const numbered = (id: string, over: Partial<Finding> = {}): Finding =>
  finding({ fingerprint: id.padStart(16, '0'), ...over });
const recorded = (id: string, over: Partial<Finding> = {}): Finding =>
  numbered(id, { severity: 'warning', provenance: 'observed', ...over });
const TICKET = {
  at: '2026-11-20T02:00:01.234Z',
  requestIds: { 'x-request-id': 'a-1' },
  sentIds: { 'x-correlation-id': 'b-2' },
  curl: "curl -sS -i 'https://x/'",
};

const gone = (id: string, severity: GoneFinding['severity']): GoneFinding => ({
  ...{ fingerprint: id.padStart(16, '0'), severity, rule: 'type-contradicted', operationId: 'getAccount' },
  ...{ pointer: `/${id}`, firstSeen: '2026-11-01T02:00:00.000Z', lastSeen: PREVIOUS },
});
const night = (day: number, over: Partial<RunSummary> = {}): RunSummary => ({
  startedAt: `2026-11-${day}T02:00:00.000Z`,
  verdict: 'agrees',
  exitCode: 0,
  findings: { error: 0, warning: 0, info: 0 },
  accepted: 0,
  ...over,
});

const operation = (operationId: string, over: Partial<Report['coverage']['operations'][number]> = {}) => ({
  ...{ operationId, located: 'documented' as const, exercised: true, goodAnswers: 1, notShown: [] },
  fields: [{ pointer: '/token', provenance: 'documented' as const, seen: 1, of: 2 }],
  ...over,
});

const watch = (alive: boolean | null, over: Partial<DeprecationWatch> = {}): DeprecationWatch => ({
  ...{ operationId: 'getCardFeesDeprecated', successor: 'getCardFees' },
  ...{ alive, sameShape: null, deprecation: null, sunset: null, ...over },
});

const NOTICES = [
  { code: 'recording-cut-off', message: 'It is cut off.', location: { file: 'rec.yaml', line: 3, column: 1 } },
  { code: 'overlay-target-unmatched', message: 'It matches nothing.', location: null, unwatched: ['getAccount'] },
  { code: 'baseline-of-another-target', message: 'The baseline is for another host.', location: null },
];
const entry = (of: Finding, expires: string) => ({
  ...{ fingerprint: of.fingerprint, reason: 'fixed in 2.4.', owner: 'team-cards', expires },
});
const CALLERS = Array.from({ length: 10 }, (_, index) => ({
  ...{ name: `caller <b>|${index}|`, connections: index === 0 ? null : index, exchanges: index + 1 },
}));
const parts = (...names: string[]) =>
  names.map((operationId, index) => ({ operationId, pointer: '/x', fingerprint: `${index}`.padStart(16, '0') }));

/** Reports of every kind. Each has a snapshot of every format: `samples/NAME.txt`. */
export const SAMPLES: ReadonlyMap<string, Report> = new Map<string, Report>([
  ['agrees', report({ checks: [check(), LEFT_OUT] })],
  [
    'agrees-with-warnings',
    report({
      findings: [recorded('a1'), recorded('b2', { pointer: '/b' }), recorded('c3', { rule: 'sunset-near' })],
      checks: [
        check({ reason: 'info: undocumented-field (6 times)' }),
        check({ id: 'b', reason: 'answered after 503' }),
      ],
    }),
  ],
  [
    'agrees-with-infos',
    report({
      findings: [
        ...Array.from({ length: 10 }, (_, n) =>
          numbered(`d${n}`, { rule: 'undocumented-field', severity: 'info', pointer: `/field${n}` }),
        ),
        numbered('e1', { severity: 'info', provenance: 'assumed', operationId: 'getClient', pointer: '' }),
        numbered('e2', { severity: 'info', rule: 'values-not-exact', operationId: null, method: null, path: null }),
      ],
    }),
  ],
  ['agrees-with-stale-entry', report({ exitCode: EXIT.stale, stale: [{ fingerprint: 'f', why: 'it is gone' }] })],
  ['agrees-on-a-mock', report({ command: 'proxy', target: { kind: 'mock', baseUrl: 'http://127.0.0.1:4010' } })],
  ['drift', fullReport()],
  ['drift-with-ticket', report({ ...DRIFT, findings: [finding({ ticket: TICKET })], checks: [BROKEN] })],
  ['drift-without-a-check', report({ ...DRIFT, findings: [finding({ checks: [] })], checks: [] })],
  [
    'drift-since-the-last-night',
    report({
      ...DRIFT,
      findings: [
        recorded('c3', { firstSeen: '2026-11-20T02:00:00.000Z' }),
        numbered('b2', { firstSeen: '2026-11-18T02:00:00.000Z', lastSeen: '2026-11-20T02:00:00.000Z' }),
      ],
      checks: [BROKEN],
      since: {
        previous: PREVIOUS,
        new: ['c3'.padStart(16, '0')],
        known: ['b2'.padStart(16, '0')],
        gone: ['1', '9'].map((id) => id.padStart(16, '0')),
      },
      history: {
        runs: [night(18), night(19, { ...DRIFT, findings: { error: 2, warning: 1, info: 3 } }), night(20, DRIFT)],
        gone: [gone('1', 'error'), gone('2', 'info')],
        notLookedFor: [gone('3', 'warning')],
      },
    }),
  ],
  [
    'drift-nothing-new',
    report({
      ...DRIFT,
      findings: [finding(), numbered('e5', { severity: 'info', rule: 'undocumented-field' })],
      since: { previous: PREVIOUS, new: [], known: ['a1', 'e5'].map((id) => id.padStart(16, '0')), gone: [] },
    }),
  ],
  [
    'drift-of-several-operations',
    report({
      ...DRIFT,
      findings: [['getOne', 'listOnes', 'getOne'], ['a', 'b', 'c', 'd'], []].map((names, index) =>
        numbered(`${index}`, { operationId: null, method: null, path: null, parts: parts(...names) }),
      ),
    }),
  ],
  [
    'drift-while-a-service-is-out',
    report({
      ...DRIFT,
      findings: [finding()],
      checks: [BROKEN, unclear('fees.answers.getCardFees', '/billing is out')],
    }),
  ],
  [
    'inconclusive',
    report({
      ...INCONCLUSIVE,
      checks: Array.from({ length: 29 }, (_, n) => unclear(`a.${n}`, 'the connection was refused')),
      history: { runs: [night(17), ...[18, 19, 20].map((day) => night(day, INCONCLUSIVE))], gone: [] },
    }),
  ],
  [
    'inconclusive-for-several-reasons',
    report({
      ...INCONCLUSIVE,
      findings: [finding()],
      checks: [
        unclear('a', 'it is *down*'),
        unclear('b', 'it is *down*'),
        ...'cdefgh'.split('').map((id) => unclear(id, `reason ${id}`)),
        LEFT_OUT,
      ],
    }),
  ],
  [
    'inconclusive-below-the-floor',
    report({
      ...INCONCLUSIVE,
      notices: [
        {
          code: 'coverage-below-floor',
          message: 'The run saw 43 of 79 documented fields, and 60% are required.',
          location: null,
        },
      ],
    }),
  ],
  ['inconclusive-all-skipped', report({ ...INCONCLUSIVE, checks: [LEFT_OUT] })],
  ['inconclusive-nothing-checked', report({ ...INCONCLUSIVE, checks: [] })],
  ['inconclusive-not-watched', report({ ...INCONCLUSIVE, notices: NOTICES })],
  ['fault', report({ exitCode: EXIT.fault, verdict: 'inconclusive', checks: [] })],
  [
    'interrupted',
    report({ exitCode: EXIT.interrupted, verdict: 'inconclusive', findings: [finding()], checks: [BROKEN, LEFT_OUT] }),
  ],
  [
    'acceptances',
    report({
      ...DRIFT,
      findings: [finding()],
      expired: [entry(finding(), '2026-11-18')],
      accepted: ['2026-11-27', '2026-11-20', '2026-12-31'].map((expires, index) => ({
        ...entry(numbered(`f${index}`), expires),
        owner: index === 2 ? null : 'ann',
        finding: numbered(`f${index}`, { operationId: 'getClient' }),
      })),
    }),
  ],
  ['created-records', report({ created: createdThings() })],
  [
    'coverage',
    report({
      checks: [
        check({ id: 'a', operationId: 'getCard', outcome: 'failed', reason: 'operation-failing: it answers 503.' }),
        check({
          id: 'b',
          operationId: 'createUser',
          outcome: 'skipped',
          reason: 'write calls need --allow write',
          why: { kind: 'needs-allow', effect: 'write' },
        }),
        ...Array.from({ length: 3 }, (_, n) => check({ ...LEFT_OUT, id: `users.${n}`, operationId: 'getUser' })),
      ],
      since: {
        ...{ previous: PREVIOUS, new: [], known: [], gone: [] },
        lost: { fields: 26, operations: ['getFees', 'getCard'] },
      },
      history: { runs: [night(18), night(19), night(20)], gone: [] },
      coverage: {
        statements: {
          ...{ checked: 9, of: 17 },
          never: ['daily', 'monthly'].map((id) => ({
            id: `limits.${id}`,
            about: 'card limits',
            reason: 'write calls need --allow write',
          })),
        },
        operations: [
          operation('getCard', { goodAnswers: 0 }),
          operation('createUser', { exercised: false }),
          operation('getUser', { exercised: false }),
          operation('getAccount', { located: 'observed', fields: [] }),
          ...Array.from({ length: 12 }, (_, n) =>
            operation(`operation${n}`, { fields: [{ pointer: `/field${n}`, provenance: 'observed', seen: 0, of: 1 }] }),
          ),
          operation('getClients', { located: null, exercised: false, fields: [], notShown: ['responseBody'] }),
          operation('getFees', {
            fields: [{ pointer: '/fees/*/fee', provenance: 'documented', seen: 0, of: 0 }],
            notShown: ['mediaType', 'responseBody'],
          }),
        ],
      },
    }),
  ],
  [
    'deprecated-forms',
    report({
      findings: [
        recorded('a1', {
          ...{ rule: 'operation-withdrawn', operationId: 'getCardFeesDeprecated', pointer: '' },
          firstSeen: '2026-11-18T02:00:00.000Z',
        }),
      ],
      deprecations: [
        watch(null, { operationId: 'getAccountFeesDeprecated' }),
        watch(false, { deprecation: '@1688169599' }),
        ...[
          'Tue, 01 Dec 2026 23:59:59 GMT',
          'Sat, 21 Nov 2026 00:00:00 GMT',
          'Fri, 20 Nov 2026 23:00:00 GMT',
          'Thu, 19 Nov 2026 00:00:00 GMT',
          'Fri, 01 Jan 2027 00:00:00 GMT',
          'some day',
        ].map((sunset, index) => watch(true, { operationId: `form${index}`, sameShape: index % 2 === 0, sunset })),
      ],
    }),
  ],
  [
    'audit',
    report({
      ...DRIFT,
      command: 'audit',
      target: { kind: 'journal', baseUrl: 'traffic.ndjson' },
      findings: [
        finding({ rule: 'token-in-url', operationId: null, method: null, path: null, pointer: '', checks: [] }),
      ],
      checks: [],
      callers: CALLERS,
      rules: [
        { rule: 'unauthorized-not-retried', outcome: 'kept', evidence: '3 responses of 401, 3 retried' },
        { rule: 'token-in-url', outcome: 'broken', evidence: '2 calls' },
        { rule: 'refresh-loop', outcome: 'not-exercised' },
      ],
    }),
  ],
  ['diff', report({ command: 'diff', target: { kind: 'journal', baseUrl: 'a.yaml' }, checks: [], notices: NOTICES })],
  ['hostile', saying('<b onclick="x">\u001b[31m|`a`](javascript:1) @all ::error::x')],
]);
