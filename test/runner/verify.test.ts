import { afterEach, describe, expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import type { Report } from '../../src/report/report.ts';
import type { VerifyOptions } from '../../src/runner/options.ts';
import { verify } from '../../src/runner/verify.ts';
import type { OverlaySource } from '../../src/spec/contract.ts';
import {
  bomb,
  CARD,
  CREDENTIALS,
  html,
  json,
  PARAMETERS,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from './sandbox.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox[Symbol.asyncDispose]();
});

async function run(
  options: SandboxOptions & Omit<VerifyOptions, 'target' | 'credentials'> = {},
): Promise<[Report, Sandbox]> {
  const { fault, bodies, token, ...rest } = options;
  const sandbox = await startSandbox({
    ...(fault ? { fault } : {}),
    ...(bodies ? { bodies } : {}),
    ...(token ? { token } : {}),
  });
  open.push(sandbox);
  const report = await verify({
    target: sandbox.url,
    credentials: CREDENTIALS,
    parameters: PARAMETERS,
    limits: { backoff: 5 },
    timeouts: { firstByte: 4, call: 8, dead: 10 },
    ...rest,
  });
  return [report, sandbox];
}

/** For targets that do not answer; everybody else gets the time that a busy machine needs. */
const SHORT = { firstByte: 0.4, call: 2, dead: 1 };

const found = (report: Report): string[] =>
  report.findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, operationId, pointer }) => `${rule} ${operationId} ${pointer}`);

describe('a healthy target', () => {
  test('the embedded mock agrees, and every located operation is exercised', async () => {
    const report = await verify();
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report.findings).toEqual([]);
    expect([report.exitCode, report.verdict, report.target.kind]).toEqual([0, 'agrees', 'mock']);
    expect(report.coverage.operations.filter(({ exercised }) => !exercised)).toEqual([]);
    expect(report.deprecations.map(({ alive, sameShape }) => [alive, sameShape])).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
  });

  test('a sandbox agrees; what the reference does not show is skipped with its reason', async () => {
    const [report, sandbox] = await run();
    expect(found(report)).toEqual([]);
    expect([report.exitCode, report.verdict, report.target.kind]).toEqual([0, 'agrees', 'url']);
    const reasons = new Map(report.checks.map(({ id, outcome, reason }) => [id, `${outcome}: ${reason}`]));
    expect(reasons.get('name-only.answers.getAccounts')).toMatch(/^skipped: not located/);
    expect(reasons.get('cards.answers.issueNewCard')).toBe('skipped: write calls need --allow write');
    expect(reasons.get('token.wrong-password')).toBe('skipped: needs --probe');
    expect(reasons.get('unauthorised.single-flight')).toMatch(/^skipped: .*mock only/);
    expect(reasons.get('cards.answers.getCard')).toBe('passed: info: undocumented-field');
    expect(sandbox.seen.every(({ userAgent }) => /^banking-api-contract\/\d/.test(userAgent))).toBe(true);
  });
});

describe('an operation known by name only', () => {
  const overlay = (provenance: string): OverlaySource[] => [
    {
      file: 'tenant.yaml',
      text: `overlay: 1.0.0
x-provenance: ${provenance}
info: { title: tenant, version: 1.0.0 }
actions:
  - target: $.paths
    update:
      /wallet/api/customers/{customerId}/beneficiaries:
        get:
          operationId: getBeneficiaries
          parameters: [{ name: customerId, in: path, required: true, schema: {} }]
          responses: { 2XX: { description: good } }
`,
    },
  ];
  const bodies = { 'GET /wallet/api/customers/c-1/beneficiaries': { items: [{ visible: true }, { visible: 'yes' }] } };
  const visible: SandboxOptions['fault'] = ({ path, authorization }, response) => {
    if (!path.endsWith('?visible=true') || !authorization.startsWith('Bearer ey')) return false;
    json(response, 200, { items: [] });
    return true;
  };

  test('is checked once an overlay locates it, by the schema that the reference documents', async () => {
    const [report] = await run({ overlays: overlay('documented'), bodies, fault: visible });
    expect(found(report)).toEqual(['type-contradicted getBeneficiaries /items/*/visible']);
    const coverage = report.coverage.operations.find(({ operationId }) => operationId === 'getBeneficiaries');
    expect(coverage).toMatchObject({ located: 'documented', exercised: true });
    expect(coverage?.fields.find(({ pointer }) => pointer === '/items/*/visible')).toMatchObject({ seen: 2, of: 2 });
    expect(report.checks.find(({ id }) => id === 'name-only.answers.getBeneficiaries')?.outcome).toBe('failed');
  });

  test('D5: is never called where its path is only assumed', async () => {
    const [report, sandbox] = await run({ overlays: overlay('assumed'), bodies });
    expect(sandbox.seen.filter(({ path }) => path.includes('beneficiaries'))).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'name-only.answers.getBeneficiaries')?.reason).toMatch(/^not located/);
  });
});

test('M4: a parameter is one segment of the path, whatever it holds', async () => {
  const customerId = 'a/b %2F?#é;,';
  const [, sandbox] = await run({ parameters: { ...PARAMETERS, customerId } });
  const sent = new Set(sandbox.seen.map(({ path }) => path.split('/')[4]).filter((segment) => segment !== undefined));
  expect(sent).toEqual(new Set([encodeURIComponent(customerId)]));
});

describe('a mock elsewhere', () => {
  test('is known by its answers: assumed paths are called, what may be sent stays that of a URL', async () => {
    const mock = await startMock();
    try {
      const report = await verify({ target: mock.url, credentials: mock.credentials });
      expect([report.target.kind, report.exitCode]).toEqual(['mock', 0]);
      const outcome = (id: string) => report.checks.find((check) => check.id === id)?.outcome;
      expect(outcome('name-only.answers.getAccounts')).toBe('passed');
      expect(outcome('name-only.answers.createAccount')).toBe('skipped');
      expect(outcome('token.wrong-password')).toBe('skipped');
    } finally {
      await mock.close();
    }
  });

  test('a mock whose tokens live for a second does not disturb a run', async () => {
    const mock = await startMock({ tokenLifetime: 1 });
    try {
      const report = await verify({ target: mock.url, credentials: mock.credentials });
      expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
      expect(report.exitCode).toBe(0);
    } finally {
      await mock.close();
    }
  });

  test('withdrawn forms are warnings; a mock that takes any token is an error', async () => {
    const mock = await startMock({ withdrawDeprecated: true, anyToken: true });
    try {
      const report = await verify({ target: mock.url, credentials: mock.credentials });
      const rules = new Set(found(report).map((line) => line.split(' ')[0]));
      expect(rules).toEqual(new Set(['operation-withdrawn', 'token-not-refused']));
      expect(report.deprecations.every(({ alive }) => alive === false)).toBe(true);
    } finally {
      await mock.close();
    }
  });
});

test('a base URL that is neither https nor loopback is refused before anything is sent', async () => {
  const refused = verify({ target: 'http://bank.example', credentials: CREDENTIALS, parameters: PARAMETERS });
  await expect(refused).rejects.toMatchObject({ code: 'config', hint: expect.stringContaining('httpAllowedOn') });
});

test('a host that is named gets credentials over http; an unknown one is inconclusive, and the report says what was tried', async () => {
  const report = await verify({
    target: 'http://mock.invalid:4010',
    httpAllowedOn: ['mock.invalid'],
    credentials: CREDENTIALS,
    parameters: PARAMETERS,
    limits: { backoff: 5 },
    timeouts: SHORT,
  });
  expect(report.exitCode).toBe(4);
  const [unclear] = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
  expect(unclear?.reason).toMatch(/^no token from http:\/\/mock\.invalid:4010: .*(?:ENOTFOUND|EAI_AGAIN|name)/);
});

describe('what changed is found', () => {
  test('a documented field of another type is an error with its place', async () => {
    const [report] = await run({
      bodies: { 'GET /wallet/api/customers/c-1/cards/k-4': { ...CARD, cardLimitDaily: '100' } },
    });
    expect(found(report)).toEqual(['type-contradicted getCard /cardLimitDaily']);
    const [finding] = report.findings.filter(({ severity }) => severity === 'error');
    expect(finding).toMatchObject({ provenance: 'documented', expected: 'integer', actual: 'string', method: 'GET' });
    expect(finding?.location?.file).toMatch(/card\.yaml$/);
    expect([report.exitCode, report.verdict]).toEqual([1, 'drift']);
  });

  test('items of a list are judged one by one and reported once', async () => {
    const cards = [CARD, { ...CARD, token: 7 }, { ...CARD, token: 8 }];
    const [report] = await run({ bodies: { 'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards } } });
    expect(found(report)).toEqual(['type-contradicted listClientCards /cards/*/token']);
  });

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

  test('HTML, truncated and unparsable bodies of one operation are findings', async () => {
    for (const broken of ['html', 'truncated', 'garbage', 'reset'] as const) {
      const [report] = await run({
        fault: (seen, response) => {
          if (seen.path !== '/wallet/api/customers/c-1/cards/k-4' || !seen.authorization.startsWith('Bearer ey'))
            return false;
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
      expect(found(report), broken).toEqual(['operation-failing getCard ']);
    }
  });

  test('a deprecated form that was withdrawn is a warning and does not fail the run', async () => {
    for (const status of [404, 405, 410]) {
      const [report] = await run({
        fault: (seen, response) => {
          if (!seen.path.startsWith('/iam/api/customers/c-1/client/')) return false;
          // Some gateways ask for the token first, some do not.
          json(response, status !== 410 && !seen.authorization.startsWith('Bearer ey') ? 401 : status, {});
          return true;
        },
      });
      expect(found(report), String(status)).toEqual(['operation-withdrawn getCardFeesDeprecated ']);
      expect(report.findings.find(({ rule }) => rule === 'operation-withdrawn')?.severity).toBe('warning');
      expect(report.exitCode).toBe(0);
      expect(report.deprecations[0]).toMatchObject({ operationId: 'getCardFeesDeprecated', alive: false });
    }
  });

  test('a deprecated form in another shape is a warning at the place', async () => {
    const [report] = await run({
      bodies: { 'GET /iam/api/customers/c-1/client/cl-2/card/fees/GBP': { fees: [{ name: 'issue', amount: '1.5' }] } },
    });
    expect(found(report)).toEqual(['deprecated-shape-differs getCardFeesDeprecated /fees/*/amount']);
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

describe('D2: what cannot be checked is inconclusive, quickly', () => {
  const outages: Record<string, SandboxOptions['fault']> = {
    '500 everywhere': (_, response) => {
      json(response, 500, {});
      return true;
    },
    '500 everywhere but the token endpoint': (seen, response) => {
      if (seen.path === '/iam/oauth/token') return false;
      json(response, 503, {});
      return true;
    },
    'HTML everywhere': (_, response) => {
      html(response, 200);
      return true;
    },
    'HTML everywhere but the token endpoint': (seen, response) => {
      if (seen.path === '/iam/oauth/token') return false;
      html(response, 200);
      return true;
    },
    'silence everywhere': () => true,
    'silence everywhere but the token endpoint': (seen) => seen.path !== '/iam/oauth/token',
    'resets everywhere': (_, response) => {
      response.socket?.destroy();
      return true;
    },
    'the token endpoint refuses': (seen, response) => {
      if (seen.path !== '/iam/oauth/token') return false;
      json(response, 401, { error: 'invalid_client' });
      return true;
    },
    'no token is accepted': (seen, response) => {
      if (seen.path === '/iam/oauth/token') return false;
      json(response, 401, {});
      return true;
    },
    '404 everywhere': (seen, response) => {
      if (seen.path === '/iam/oauth/token') return false;
      json(response, 404, {});
      return true;
    },
    'a redirect to another host': (_, response) => {
      response.writeHead(302, { location: 'https://login.example/' }).end();
      return true;
    },
    'a gzip bomb': (seen, response) => {
      if (seen.path === '/iam/oauth/token') return false;
      bomb(response);
      return true;
    },
  };

  for (const [name, fault] of Object.entries(outages)) {
    test(name, async () => {
      const started = performance.now();
      const [report] = await run({
        ...(fault ? { fault } : {}),
        ...(name.startsWith('silence') ? { timeouts: SHORT } : {}),
      });
      expect(found(report)).toEqual([]);
      expect([report.exitCode, report.verdict]).toEqual([4, 'inconclusive']);
      expect(report.checks.some(({ outcome, reason }) => outcome === 'inconclusive' && reason !== '')).toBe(true);
      expect(performance.now() - started).toBeLessThan(15_000);
    });
  }

  test('a refused connection', async () => {
    const sandbox = await startSandbox();
    await sandbox[Symbol.asyncDispose]();
    const report = await verify({
      target: sandbox.url,
      credentials: CREDENTIALS,
      parameters: PARAMETERS,
      limits: { backoff: 5 },
    });
    expect([report.exitCode, report.findings]).toEqual([4, []]);
  });

  test('D3: no credentials, or no parameters at all', async () => {
    const sandbox = await startSandbox();
    open.push(sandbox);
    const without = await verify({ target: sandbox.url, parameters: PARAMETERS });
    expect([without.exitCode, sandbox.seen]).toEqual([4, []]);
    const unknowing = await verify({ target: sandbox.url, credentials: CREDENTIALS });
    expect(unknowing.exitCode).toBe(4);
    expect(unknowing.checks.find(({ id }) => id === 'cards.answers.getCard')?.reason).toBe(
      'missing parameter customerId, cardId',
    );
  });
});

test('a target that goes down in the middle of a run is inconclusive, however it does', async () => {
  for (const how of ['reset', '503', 'html'] as const) {
    const [report] = await run({
      fault: (_, response, count) => {
        if (count < 12) return false;
        if (how === 'reset') response.socket?.destroy();
        else if (how === 'html') html(response, 200);
        else json(response, 503, {});
        return true;
      },
    });
    expect(found(report), how).toEqual([]);
    expect([report.exitCode, report.verdict], how).toEqual([4, 'inconclusive']);
    expect(report.checks.some(({ outcome }) => outcome === 'passed')).toBe(true);
  }
});

describe('weather is no finding', () => {
  test('an operation that failed for a while, through all retries, and answers at the end', async () => {
    let hits = 0;
    const [report] = await run({
      fault: ({ path, authorization }, response) => {
        if (!path.endsWith('/cards/k-4') || !authorization.startsWith('Bearer ey')) return false;
        hits += 1;
        if (hits <= 3) json(response, 500, {});
        return hits <= 3;
      },
    });
    expect([hits, found(report), report.exitCode]).toEqual([4, [], 0]);
    expect(report.checks.find(({ id }) => id === 'cards.answers.getCard')?.reason).toMatch(
      /^500 at first, answered later/,
    );
  });

  const weathers: Record<string, (response: Parameters<NonNullable<SandboxOptions['fault']>>[1]) => void> = {
    '429 with Retry-After': (response) => json(response, 429, {}, { 'retry-after': '1' }),
    '503 with Retry-After': (response) => json(response, 503, {}, { 'retry-after': '1' }),
    'a single 500': (response) => json(response, 500, {}),
    'a single reset': (response) => void response.socket?.destroy(),
    'a single timeout': () => {},
    'a single HTML page': (response) => html(response, 502),
  };
  for (const [name, answer] of Object.entries(weathers)) {
    test(name, async () => {
      const hit = new Set<string>();
      const [report] = await run({
        ...(name === 'a single timeout' ? { timeouts: { ...SHORT, firstByte: 0.8, dead: 10 } } : {}),
        fault: (seen, response) => {
          const key = `${seen.method} ${seen.path}`;
          if (seen.path !== '/wallet/api/customers/c-1/cards/k-4' || hit.has(key) || seen.authorization === '')
            return false;
          hit.add(key);
          answer(response);
          return true;
        },
      });
      expect(hit.size).toBe(1);
      expect(found(report)).toEqual([]);
      expect(report.exitCode).toBe(0);
    });
  }
});
