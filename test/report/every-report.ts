import { ALL_AUDIT_RULES } from '../../src/audit/rules.ts';
import { EXIT } from '../../src/errors.ts';
import { ALL_RULES } from '../../src/judge/rules.ts';
import type { Report } from '../../src/model/report.ts';
import { check, finding, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';
import { SAMPLES } from './samples.ts';

const BROKEN = check({ outcome: 'failed', reason: 'type-contradicted: /cardLimitDaily is string, not integer.' });

/** Each rule at each severity, with and without a line of the contract. */
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

/** Every kind of report content, by a name for test titles. */
export const EVERY_REPORT: ReadonlyMap<string, Report> = new Map([
  ...SAMPLES,
  ...[...SAMPLES].map(([name, each]): [string, Report] => [`${name} (audit)`, { ...each, command: 'audit' }]),
  ['of every rule', ofRules()],
  ...HOSTILE.map((text): [string, Report] => [`hostile ${JSON.stringify(text).slice(0, 40)}`, saying(text)]),
]);
