import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { ASSUMED_PARAMETERS } from '../../src/mock/tenant/assumed-parameters.ts';
import { verify } from '../../src/run/verify.ts';
import { found, run } from './run.ts';
import { html, json, type SandboxOptions } from './sandbox.ts';

describe('a mock elsewhere', () => {
  test('nothing is asked of what the run itself has taken away', async () => {
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

  test('a mock whose tokens live for a second does not disturb a run', async () => {
    await using mock = await startMock({ tokenLifetime: 1 });
    const report = await verify({ target: mock.url, credentials: mock.credentials });
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(report.exitCode).toBe(0);
  });

  test('withdrawn forms are warnings; a mock that takes any token is an error', async () => {
    await using mock = await startMock({ withdrawDeprecated: true, anyToken: true });
    const report = await verify({ target: mock.url, credentials: mock.credentials });
    const rules = new Set(found(report).map((line) => line.split(' ')[0]));
    expect(rules).toEqual(new Set(['operation-withdrawn', 'token-not-refused']));
    expect(report.deprecations.every(({ alive }) => alive === false)).toBe(true);
  });
});

describe('what changed is found', () => {
  test('an operation that fails alone is a finding, also when it is the last that was asked', async () => {
    for (const path of [
      '/wallet/api/customers/c-1/clients/cl-2/cards',
      '/billing/api/customers/c-1/client/cl-2/card/fees/GBP',
    ]) {
      const [report] = await run({
        fault: (seen, response) => {
          if (seen.path !== path || !seen.authorization.startsWith('Bearer ey')) return false;
          json(response, 500, {});
          return true;
        },
      });
      expect(found(report)).toHaveLength(1);
      expect(found(report)[0]).toMatch(/^operation-failing /);
      expect(report.exitCode).toBe(1);
    }
  });

  test.each([
    ['html', 'truncated'],
    ['garbage', 'reset'],
  ] as const)('what two operations answer for good is a finding of each: %s, %s', async (...kinds) => {
    const paths = ['/wallet/api/customers/c-1/cards/k-4', '/billing/api/customers/c-1/client/cl-2/account/fees/GBP'];
    const [report] = await run({
      fault: (seen, response) => {
        const broken = kinds[paths.indexOf(seen.path)];
        if (broken === undefined || !seen.authorization.startsWith('Bearer ey')) return false;
        if (broken === 'html') html(response, 200);
        else if (broken === 'reset') response.socket?.destroy();
        else {
          response.writeHead(200, {
            'content-type': 'application/json',
            ...(broken === 'truncated' ? { 'content-length': '99' } : {}),
          });
          response.end(broken === 'truncated' ? undefined : '{"cardLimitDaily": ');
          if (broken === 'truncated') response.socket?.end();
        }
        return true;
      },
    });
    expect(found(report).sort()).toEqual(['operation-failing getAccountFees ', 'operation-failing getCard ']);
    expect(report.exitCode).toBe(1);
  });

  test('deprecated forms that were withdrawn are warnings and do not fail the run, with 404, 405 or 410', async () => {
    const statuses: Record<string, number> = {
      '/iam/api/customers/c-1/client/cl-2/card/fees/GBP': 404,
      '/wallet/api/customers/c-1/client/cl-2/account/fees/GBP': 405,
      '/wallet/api/customers/c-1/clients/cl-2/transactions/fees': 410,
    };
    const [report] = await run({
      fault: ({ path, authorization }, response) => {
        const status = statuses[path];
        if (status === undefined) return false;
        // Some gateways ask for the token first, some do not.
        json(response, status !== 410 && !authorization.startsWith('Bearer ey') ? 401 : status, {});
        return true;
      },
    });
    expect(found(report).sort()).toEqual([
      'operation-withdrawn getAccountFeesDeprecated ',
      'operation-withdrawn getCardFeesDeprecated ',
      'operation-withdrawn getTransactionFeesDeprecated ',
    ]);
    expect(report.findings.filter(({ severity }) => severity === 'warning')).toHaveLength(3);
    expect([report.exitCode, report.deprecations.map(({ alive }) => alive)]).toEqual([0, [false, false, false]]);
    // They were called, and gave no good answer.
    const withdrawn = report.coverage.operations.filter(({ operationId }) => operationId.endsWith('FeesDeprecated'));
    expect(withdrawn.map(({ exercised, goodAnswers }) => [exercised, goodAnswers])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ]);
  });

  test('a garbage token that is served is an error', async () => {
    const [report] = await run({
      fault: (seen, response) => {
        if (!seen.authorization.startsWith('Bearer garbage')) return false;
        json(response, 200, {});
        return true;
      },
    });
    expect(new Set(found(report).map((line) => line.split(' ')[0]))).toEqual(new Set(['token-not-refused']));
    expect(report.exitCode).toBe(1);
  });

  test('a token response that contradicts the reference is an error even where it ends the run', async () => {
    const [report] = await run({ token: (issued) => ({ ...issued, token_type: 'mac' }) });
    expect(found(report)).toEqual(['value-contradicted getToken /token_type']);
    expect(report.exitCode).toBe(1);
    expect(report.checks.find(({ id }) => id === 'token.response')?.outcome).toBe('failed');
  });

  test('a token that serves one call only is an error; how long our client keeps one is not', async () => {
    const used = new Set<string>();
    const [worn] = await run({
      fault: ({ path, authorization }, response) => {
        if (path === '/iam/oauth/token' || !authorization.startsWith('Bearer ey')) return false;
        if (!used.has(authorization)) {
          used.add(authorization);
          return false;
        }
        json(response, 401, {});
        return true;
      },
    });
    expect(found(worn)).toEqual([`contract-check-failed getCardFees `]);
    const [short] = await run({ token: (issued) => ({ ...issued, expires_in: 0 }) });
    expect(found(short)).toEqual(['token-lifetime-not-positive getToken /expires_in']);
  });

  test('a token that is no JWT is an error', async () => {
    const [report] = await run({ token: (issued) => ({ ...issued, jti: 7 }) });
    expect(found(report)).toEqual(['type-contradicted getToken /jti']);
  });

  test('probes: a wrong password that gets a token is an error, with --probe only', async () => {
    const fault: SandboxOptions['fault'] = (seen, response) => {
      if (seen.path !== '/iam/oauth/token' || seen.authorization === '') return false;
      json(response, 200, { access_token: 'e30.e30.x', expires_in: 9, jti: 'j', scope: '', token_type: 'bearer' });
      return true;
    };
    const [report] = await run({ fault, probe: true });
    expect(found(report).filter((line) => line.startsWith('wrong-'))).toEqual([
      'wrong-credentials-accepted getToken ',
      'wrong-grant-accepted getToken ',
    ]);
  });
});
