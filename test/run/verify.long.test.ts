import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { ASSUMED_PARAMETERS } from '../../src/mock/tenant/assumed-parameters.ts';
import { verify } from '../../src/run/verify.ts';
import { found, run } from './run.ts';
import { json } from './sandbox.ts';

describe('a mock at a URL', () => {
  test('a run does not call operations for resources that it has removed', async () => {
    await using mock = await startMock();
    const report = await verify({
      target: mock.url,
      credentials: mock.credentials,
      allow: 'destructive',
      writesAllowedOn: ['127.0.0.1'],
      expendable: Object.values(ASSUMED_PARAMETERS),
      probe: true,
    });
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'cards.answers.deleteCard')?.outcome).toBe('passed');
    expect([report.exitCode, found(report)]).toEqual([0, []]);
  });

  test('tokens that live for a second do not disturb a run', async () => {
    await using mock = await startMock({ tokenLifetime: 1 });
    const report = await verify({ target: mock.url, credentials: mock.credentials });
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(report.exitCode).toBe(0);
  });

  test('withdrawn forms are warnings, and a mock that accepts any token is an error', async () => {
    await using mock = await startMock({ withdrawDeprecated: true, anyToken: true });
    const report = await verify({ target: mock.url, credentials: mock.credentials });
    const rules = new Set(found(report).map((line) => line.split(' ')[0]));
    expect(rules).toEqual(new Set(['operation-withdrawn', 'token-not-refused']));
    expect(report.deprecations.every(({ alive }) => alive === false)).toBe(true);
  });
});

describe('changes of a target', () => {
  test('withdrawn deprecated forms (404, 405 or 410) are warnings and do not fail the run', async () => {
    const statuses: Record<string, number> = {
      '/iam/api/customers/c-1/client/cl-2/card/fees/GBP': 404,
      '/wallet/api/customers/c-1/client/cl-2/account/fees/GBP': 405,
      '/wallet/api/customers/c-1/clients/cl-2/transactions/fees': 410,
    };
    const [report] = await run({
      fault: ({ path, authorization }, response) => {
        const status = statuses[path];
        if (status === undefined) return false;
        // Some gateways check the token first.
        return json(response, status !== 410 && !authorization.startsWith('Bearer ey') ? 401 : status, {});
      },
    });
    expect([report.exitCode, report.deprecations.map(({ alive }) => alive)]).toEqual([0, [false, false, false]]);
    // They were called without a good answer.
    const withdrawn = report.coverage.operations.filter(({ operationId }) => operationId.endsWith('FeesDeprecated'));
    expect(withdrawn.map(({ exercised, goodAnswers }) => [exercised, goodAnswers])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ]);
  });

  test('a single-use token is an error', async () => {
    const used = new Set<string>();
    const [worn] = await run({
      fault: ({ path, authorization }, response) => {
        if (path === '/iam/oauth/token' || !authorization.startsWith('Bearer ey')) return false;
        if (!used.has(authorization)) {
          used.add(authorization);
          return false;
        }
        return json(response, 401, {});
      },
    });
    expect(found(worn)).toEqual([`contract-check-failed getCardFees `]);
  });
});
