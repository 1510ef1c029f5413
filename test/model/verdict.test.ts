import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { SEVERITIES } from '../../src/model/finding.ts';
import { exitCodeOf, isInconclusive, type VerdictFacts, verdictOf } from '../../src/model/verdict.ts';
import { PROVENANCES } from '../../src/schema/schema-document.ts';

const agreeing: VerdictFacts = {
  tokenOperation: 'getToken',
  interrupted: false,
  fault: false,
  findings: [],
  failOn: 'error',
  checks: [{ operationId: 'getCard', outcome: 'passed' }],
  stale: 0,
};
const error = { severity: 'error', provenance: 'documented' } as const;
const unclear = { operationId: 'getCard', outcome: 'inconclusive' } as const;

describe('D1: the exit code of a run', () => {
  test('the exit code is 0 if everything agrees', () => {
    expect([exitCodeOf(agreeing), verdictOf(agreeing)]).toEqual([EXIT.agrees, 'agrees']);
  });

  test('of several exit codes the first of 130, 70, 1, 4, 5 applies', () => {
    const all: VerdictFacts = {
      ...agreeing,
      interrupted: true,
      fault: true,
      findings: [error],
      checks: [unclear],
      stale: 1,
    };
    expect(exitCodeOf(all)).toBe(130);
    expect(exitCodeOf({ ...all, interrupted: false })).toBe(70);
    expect(exitCodeOf({ ...all, interrupted: false, fault: false })).toBe(1);
    expect(exitCodeOf({ ...all, interrupted: false, fault: false, findings: [] })).toBe(4);
    expect(exitCodeOf({ ...agreeing, stale: 1 })).toBe(5);
  });

  test('the verdict follows the exit code: drift for 1, inconclusive for 4, else agrees, even for 5', () => {
    expect(verdictOf({ ...agreeing, findings: [error] })).toBe('drift');
    expect(verdictOf({ ...agreeing, checks: [unclear] })).toBe('inconclusive');
    expect(verdictOf({ ...agreeing, stale: 1 })).toBe('agrees');
  });

  test('findings count from --fail-on, and contradicted assumptions never do', () => {
    for (const failOn of SEVERITIES) {
      for (const severity of SEVERITIES) {
        for (const provenance of PROVENANCES) {
          const counts = provenance !== 'assumed' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
          expect(exitCodeOf({ ...agreeing, failOn, findings: [{ severity, provenance }] })).toBe(counts ? 1 : 0);
        }
      }
    }
  });

  test.each([
    ['error', 'unknown', 1],
    ['warning', 'breaking', 1],
    ['warning', 'additive', 0],
    ['info', 'breaking', 0],
  ] as const)(
    'with --fail-on breaking, a finding of severity %s that is %s gives %i',
    (severity, compatibility, code) => {
      const findings = [{ severity, compatibility, provenance: 'observed' } as const];
      expect(exitCodeOf({ ...agreeing, failOn: 'breaking', findings })).toBe(code);
    },
  );

  test('D3: skipped checks cause a 4 only if nothing except the token endpoint was checked', () => {
    const skipped = { operationId: 'issueNewCard', outcome: 'skipped' } as const;
    expect(isInconclusive({ ...agreeing, checks: [...agreeing.checks, skipped] })).toBe(false);
    expect(isInconclusive({ ...agreeing, checks: [skipped] })).toBe(true);
    expect(isInconclusive({ ...agreeing, checks: [] })).toBe(true);
    expect(isInconclusive({ ...agreeing, checks: [{ operationId: 'getToken', outcome: 'passed' }, skipped] })).toBe(
      true,
    );
  });

  test('a run that could not check never agrees', () => {
    const outcome = fc.constantFrom('passed', 'failed', 'skipped', 'inconclusive' as const);
    const check = fc.record({ operationId: fc.constantFrom('getToken', 'getCard', null), outcome }) as fc.Arbitrary<
      VerdictFacts['checks'][number]
    >;
    fc.assert(
      fc.property(fc.array(check), (checks) => {
        fc.pre(checks.some(({ outcome: each }) => each === 'inconclusive'));
        expect(exitCodeOf({ ...agreeing, checks })).toBe(EXIT.inconclusive);
      }),
    );
  });
});
