import { describe, expect, test } from 'vitest';
import type { OverlaySource } from '../../src/contract/contract.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { verdictLine } from '../../src/report/words/verdict.ts';
import { verify } from '../../src/run/verify.ts';
import { found, run, SHORT } from './run.ts';
import { CARD, CREDENTIALS, json, PARAMETERS, type SandboxOptions } from './sandbox.ts';

describe('a healthy target', () => {
  test('the embedded mock agrees, and every operation with a path is called', async () => {
    const report = await verify({ target: 'mock' });
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report.findings).toEqual([]);
    expect([report.exitCode, report.verdict, report.target.kind]).toEqual([0, 'agrees', 'mock']);
    expect(report.coverage.operations.filter(({ exercised }) => !exercised)).toEqual([]);
    expect(report.coverage.statements).toEqual({ checked: 18, of: 18, never: [] });
    expect(report.deprecations.map(({ alive, sameShape }) => [alive, sameShape])).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
  });

  test('a sandbox agrees, and undocumented parts are skipped with a reason', async () => {
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

test('verify closes the embedded mock if the contract cannot be loaded', async () => {
  const servers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = servers();
  const folder = { ...ownFolder, spec: '/nowhere/openapi.yaml' };
  await expect(verify({ target: 'mock', folder })).rejects.toThrow('does not exist');
  await expect.poll(servers).toBeLessThanOrEqual(before);
});

test('a run below the required coverage is inconclusive, and lists unchecked statements with reasons', async () => {
  const [report] = await run({ requireCoverage: { fields: 1, statements: 18 } });
  const { checked = 0, of, never = [] } = report.coverage.statements ?? {};
  expect([report.exitCode, of, never.length]).toEqual([4, 18, 18 - checked]);
  const line = `documented fields seen (22 not located); the run checked ${checked} of 18 documented statements, and 18 are required`;
  expect(verdictLine(report)).toContain(line);
  expect(never).toContainEqual({
    id: 'limits.cardLimitDaily',
    about: 'card limits',
    reason: 'write calls need --allow write',
  });
  expect(never).toContainEqual({ id: 'token.access_token', about: 'token signatures', reason: 'needs --probe' });
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
    return json(response, 200, { items: [] });
  };

  test('an operation known by name only is checked against the documented schema once an overlay gives its path', async () => {
    const [report] = await run({ overlays: overlay('documented'), bodies, fault: visible });
    expect(found(report)).toEqual(['type-contradicted getBeneficiaries /items/*/visible']);
    const coverage = report.coverage.operations.find(({ operationId }) => operationId === 'getBeneficiaries');
    expect(coverage).toMatchObject({ located: 'documented', exercised: true, goodAnswers: 2 });
    const write = report.coverage.operations.find(({ operationId }) => operationId === 'createUser');
    expect(write).toMatchObject({ exercised: false, goodAnswers: 0 });
    expect(coverage?.fields.find(({ pointer }) => pointer === '/items/*/visible')).toMatchObject({ seen: 2, of: 2 });
    expect(report.checks.find(({ id }) => id === 'name-only.answers.getBeneficiaries')?.outcome).toBe('failed');
  });

  test('D5: an operation with an assumed path is never called', async () => {
    const [report, sandbox] = await run({ overlays: overlay('assumed'), bodies });
    expect(sandbox.seen.filter(({ path }) => path.includes('beneficiaries'))).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'name-only.answers.getBeneficiaries')?.reason).toMatch(/^not located/);
  });
});

test('M4: a parameter is one segment of the path', async () => {
  const customerId = 'a/b %2F?#é;,';
  const [, sandbox] = await run({ parameters: { ...PARAMETERS, customerId } });
  const sent = new Set(sandbox.seen.map(({ path }) => path.split('/')[4]).filter((segment) => segment !== undefined));
  expect(sent).toEqual(new Set([encodeURIComponent(customerId)]));
});

test('verify calls the assumed paths of a mock at a URL, but the effects policy of a URL applies', async () => {
  await using mock = await startMock();
  const report = await verify({ target: mock.url, credentials: mock.credentials });
  expect([report.target.kind, report.exitCode]).toEqual(['mock', 0]);
  const outcome = (id: string) => report.checks.find((check) => check.id === id)?.outcome;
  expect(outcome('name-only.answers.getAccounts')).toBe('passed');
  expect(outcome('name-only.answers.createAccount')).toBe('skipped');
  expect(outcome('token.wrong-password')).toBe('skipped');
});

test('a base URL without https is rejected before anything is sent, except on loopback', async () => {
  const refused = verify({ target: 'http://bank.example', credentials: CREDENTIALS, parameters: PARAMETERS });
  await expect(refused).rejects.toMatchObject({ code: 'config', hint: expect.stringContaining('httpAllowedOn') });
});

test('a named host gets credentials over http; an unknown host is inconclusive, and the report lists the attempts', async () => {
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

test('changed field types and deprecated forms are found at their places; list items are judged singly, reported once', async () => {
  const cards = [CARD, { ...CARD, token: 7 }, { ...CARD, token: 8 }];
  const [report] = await run({
    bodies: {
      'GET /wallet/api/customers/c-1/cards/k-4': { ...CARD, cardLimitDaily: '100' },
      'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards },
      'GET /iam/api/customers/c-1/client/cl-2/card/fees/GBP': { fees: [{ name: 'issue', amount: '1.5' }] },
    },
  });
  expect(new Set(found(report))).toEqual(
    new Set([
      'type-contradicted getCard /cardLimitDaily',
      'type-contradicted listClientCards /cards/*/token',
      'deprecated-shape-differs getCardFeesDeprecated /fees/*/amount',
    ]),
  );
  expect(found(report)).toHaveLength(3);
  const finding = report.findings.find(
    ({ operationId, severity }) => operationId === 'getCard' && severity === 'error',
  );
  expect(finding).toMatchObject({ provenance: 'documented', expected: 'integer', actual: 'string', method: 'GET' });
  expect(finding?.location?.file).toMatch(/card\.yaml$/);
  expect(report.findings.find(({ rule }) => rule === 'deprecated-shape-differs')?.severity).toBe('warning');
  expect([report.exitCode, report.verdict]).toEqual([1, 'drift']);
});
