import { ALL_AUDIT_RULES } from '../../src/audit/rules.ts';
import { EXIT } from '../../src/errors.ts';
import { ALL_RULES } from '../../src/judge/rules.ts';
import type { Report } from '../../src/model/report.ts';
import { check, finding, fullReport, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';

const BROKEN = check({ outcome: 'failed', reason: 'type-contradicted: /cardLimitDaily is string, not integer.' });
const UNCLEAR = check({ id: 'fees.answers.getCardFees', outcome: 'inconclusive', reason: '503 again and again' });
const LEFT_OUT = check({ id: 'users.answers.createUser', outcome: 'skipped', reason: 'missing parameter userId' });
const TICKET = {
  at: '2026-11-20T02:00:01.234Z',
  requestIds: { 'x-request-id': 'a-1' },
  sentIds: { 'x-correlation-id': 'b-2' },
  curl: "curl -sS -i 'https://x/'",
};

/** Each way for a command to end. */
const ENDINGS: Readonly<Record<string, Partial<Report>>> = {
  agrees: { checks: [check(), LEFT_OUT] },
  'agrees with warnings': { findings: [finding({ severity: 'warning', provenance: 'observed' })] },
  drift: { exitCode: EXIT.findings, verdict: 'drift', findings: [finding({ ticket: TICKET })], checks: [BROKEN] },
  'drift without a check': {
    exitCode: EXIT.findings,
    verdict: 'drift',
    findings: [finding({ checks: [] })],
    checks: [],
  },
  inconclusive: { exitCode: EXIT.inconclusive, verdict: 'inconclusive', checks: [check(), UNCLEAR, LEFT_OUT] },
  'nothing checked': { exitCode: EXIT.inconclusive, verdict: 'inconclusive', checks: [] },
  'nothing to check': { checks: [] },
  fault: { exitCode: EXIT.fault, verdict: 'inconclusive', checks: [] },
  interrupted: {
    exitCode: EXIT.interrupted,
    verdict: 'inconclusive',
    findings: [finding()],
    checks: [BROKEN, LEFT_OUT],
  },
  'of a file': { target: { kind: 'journal', baseUrl: 'traffic.ndjson' } },
};

const COMMANDS = ['verify', 'proxy', 'audit', 'diff'];

function endings(): [string, Report][] {
  return COMMANDS.flatMap((command) =>
    Object.entries(ENDINGS).map(([name, over]): [string, Report] => [
      `${command} ${name}`,
      report({ command, ...over }),
    ]),
  );
}

/** Each rule at each severity, on a line of the contract and without one. */
function ofRules(): Report {
  const findings = [...ALL_RULES, ...ALL_AUDIT_RULES].flatMap(({ id }, number) =>
    (['error', 'warning', 'info'] as const).map((severity, index) =>
      finding({
        rule: id,
        severity,
        fingerprint: `${number}f${index}`.padStart(16, '0'),
        ...(index === 1 && { location: null, operationId: null, method: null, path: null }),
      }),
    ),
  );
  return report({ exitCode: EXIT.findings, verdict: 'drift', findings, checks: [BROKEN] });
}

const SINCE = { previous: '2026-11-19T02:00:00.000Z', new: ['00000000000000a1'], known: [], gone: ['eeee'] };
const NOTICES = [
  { code: 'recording-cut-off', message: 'It is cut off.', location: { file: 'rec.yaml', line: 3, column: 1 } },
  { code: 'overlay-target-unmatched', message: 'It matches nothing.', location: null, unwatched: ['getAccount'] },
];
const CALLERS = [{ name: 'shop 1.2', connections: null, exchanges: 3 }];

/** Whatever a report may hold, by a name that a test can show. */
export const EVERY_REPORT: ReadonlyMap<string, Report> = new Map([
  ...endings(),
  ['of every rule', ofRules()],
  ['with everything', fullReport()],
  ['since an earlier one', fullReport({ since: SINCE })],
  ['with nothing new', fullReport({ since: { ...SINCE, new: [], known: ['00000000000000a1'] } })],
  ['with notices', fullReport({ notices: NOTICES })],
  ['agreeing with notices', report({ command: 'diff', checks: [], notices: NOTICES })],
  [
    'with an acceptance that expired',
    fullReport({ expired: [{ fingerprint: '00000000000000a1', reason: 'known', owner: null, expires: '2026-01-01' }] }),
  ],
  [
    'on callers',
    report({
      command: 'audit',
      callers: CALLERS,
      rules: [{ rule: 'token-missing', outcome: 'kept', evidence: '3 calls' }],
    }),
  ],
  ...HOSTILE.map((text): [string, Report] => [`hostile ${JSON.stringify(text).slice(0, 40)}`, saying(text)]),
]);
