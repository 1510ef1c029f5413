import { describe, expect, test } from 'vitest';
import { exitCodeFor } from '../../src/cli/commands/proxy.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { ProxyOptions } from '../../src/proxy/options.ts';
import { verify } from '../../src/run/verify.ts';
import { CARD, CREDENTIALS, json, PARAMETERS, type SandboxOptions, startSandbox } from '../run/sandbox.ts';
import { open, type Watched, watch } from './support.ts';

const BASIC = `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64')}`;
const CARD_PATH = '/wallet/api/customers/c-1/cards/k-4';
const NEW_FEES = '/billing/api/customers/c-1/client/cl-2/card/fees/GBP';
const OLD_FEES = '/iam/api/customers/c-1/client/cl-2/card/fees/GBP';

/** A caller behind the proxy. */
async function caller(sandbox: SandboxOptions = {}, options: Partial<ProxyOptions> = {}) {
  const target = await startSandbox(sandbox);
  const watched = await watch(target.url, { timeouts: { firstByte: 4 }, ...options });
  open(target, watched);
  const call = (path: string, init: RequestInit = {}) => fetch(`${watched.proxy.url}${path}`, init);
  const response = await call('/iam/oauth/token', {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const { access_token } = (await response.json()) as { access_token: string };
  const withToken = async (path: string): Promise<number> => {
    const answer = await call(path, { headers: { authorization: `Bearer ${access_token}` } });
    await answer.text().catch(() => '');
    return answer.status;
  };
  return { watched, call, withToken, report: () => watched.proxy.report() };
}

/** Answers for a path, with and without a token. */
const answering = (wanted: string, status: number, body: unknown = {}): SandboxOptions => ({
  fault: ({ path }, response) => path === wanted && json(response, status, body),
});

const told = ({ events }: Watched): Finding[] =>
  events.flatMap((event) => (event.kind === 'finding' ? [event.finding] : []));

/** The parts of a finding that do not depend on counts and exchanges. */
const essence = ({ occurrences, exchanges, firstSeen, lastSeen, ticket, checks, ...told }: Finding) => told;

describe('proxy and verify judge an exchange equally', () => {
  const bodies = {
    [`GET ${CARD_PATH}`]: { ...CARD, cardLimitDaily: '100', token: 17, novel: true },
    [`GET ${OLD_FEES}`]: { fees: [{ name: 1 }] },
    'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards: [{ ...CARD, cardDesign: null }] },
  };
  const token = (issued: Record<string, unknown>) => ({ ...issued, jti: 5, extra: 1 });

  test('proxy and verify give the same rules, severities, places, texts and fingerprints', async () => {
    const sandbox = await startSandbox({ bodies, token });
    open(sandbox);
    const report = await verify({
      target: sandbox.url,
      credentials: CREDENTIALS,
      parameters: PARAMETERS,
      limits: { backoff: 5 },
    });
    const { watched, withToken } = await caller({ bodies, token });
    for (const path of [CARD_PATH, '/wallet/api/customers/c-1/clients/cl-2/cards', NEW_FEES, OLD_FEES]) {
      expect(await withToken(path)).toBe(200);
    }
    const { findings, checks, verdict } = await watched.proxy.report();
    const called = new Set(['getToken', 'getCard', 'listClientCards', 'getCardFees', 'getCardFeesDeprecated']);
    const wanted = report.findings.filter(({ operationId }) => called.has(operationId ?? ''));
    expect(wanted.length).toBeGreaterThan(5);
    expect(findings.map(essence)).toEqual(wanted.map(essence));
    expect(verdict).toBe('drift');
    expect(checks.find(({ operationId }) => operationId === 'getCard')?.outcome).toBe('failed');
    expect(checks.find(({ operationId }) => operationId === 'getCardFees')?.outcome).toBe('passed');
  });

  test('findings are reported once, as they occur, and counted', async () => {
    const { watched, withToken } = await caller({ bodies });
    for (let each = 0; each < 5; each += 1) await withToken(CARD_PATH);
    const { findings } = await watched.proxy.report();
    const fingerprints = told(watched).map(({ fingerprint }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
    const type = findings.filter(({ rule, operationId }) => rule === 'type-contradicted' && operationId === 'getCard');
    expect(type.length).toBeGreaterThan(0);
    for (const finding of type) {
      expect(finding).toMatchObject({ occurrences: 5, exchanges: [2, 3, 4, 5, 6] });
      expect(finding.firstSeen).toMatch(/^\d{4}-/);
    }
  });

  test('an operation without a good answer counts as called, and good answers count from then on', async () => {
    let broken = true;
    const fault: SandboxOptions['fault'] = ({ path }, response) =>
      broken && path === CARD_PATH && json(response, 500, {});
    const { watched, withToken } = await caller({ fault });
    for (let each = 0; each < 2; each += 1) await withToken(CARD_PATH);
    const card = async () =>
      (await watched.proxy.report()).coverage.operations.find(({ operationId }) => operationId === 'getCard');
    expect(await card()).toMatchObject({ exercised: true, goodAnswers: 0 });
    broken = false;
    for (let each = 0; each < 2; each += 1) await withToken(CARD_PATH);
    expect(await card()).toMatchObject({ exercised: true, goodAnswers: 2 });
    expect((await card())?.fields.find(({ pointer }) => pointer === '/cardDesign')).toMatchObject({ seen: 2, of: 2 });
  });

  test('an API that agrees has no finding', async () => {
    const { watched, withToken } = await caller();
    for (const path of [CARD_PATH, NEW_FEES, OLD_FEES]) await withToken(path);
    const report = await watched.proxy.report();
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(report.verdict).toBe('agrees');
    expect(report.coverage.operations.find(({ operationId }) => operationId === 'getCard')?.exercised).toBe(true);
    expect(report.deprecations.find(({ operationId }) => operationId === 'getCardFeesDeprecated')).toMatchObject({
      alive: true,
      sameShape: true,
    });
  });
});

describe('rules over several exchanges', () => {
  test('a withdrawn deprecated form is reported once it failed again while another operation works', async () => {
    const { withToken, report } = await caller(answering(OLD_FEES, 410));
    for (const path of [OLD_FEES, NEW_FEES, OLD_FEES]) await withToken(path);
    expect((await report()).findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    await withToken(NEW_FEES);
    const { findings, deprecations } = await report();
    const withdrawn = { rule: 'operation-withdrawn', operationId: 'getCardFeesDeprecated', severity: 'warning' };
    expect(findings).toContainEqual(expect.objectContaining(withdrawn));
    expect(deprecations.find(({ operationId }) => operationId === 'getCardFeesDeprecated')?.alive).toBe(false);
  });

  test('an operation that fails repeatedly while others work is a finding, a single failure is not', async () => {
    const { withToken, report } = await caller(answering(CARD_PATH, 500));
    for (const path of [CARD_PATH, NEW_FEES]) await withToken(path);
    expect((await report()).findings).toEqual([]);
    for (const path of [CARD_PATH, NEW_FEES]) await withToken(path);
    expect((await report()).findings).toContainEqual(
      expect.objectContaining({ rule: 'operation-failing', operationId: 'getCard', severity: 'error' }),
    );
  });

  test('a request without a token that is served is a finding', async () => {
    const { watched, call } = await caller({
      fault: ({ path, authorization }, response) =>
        path === CARD_PATH && authorization === '' && json(response, 200, CARD),
    });
    await (await call(CARD_PATH)).text();
    expect((await watched.proxy.report()).findings).toContainEqual(
      expect.objectContaining({ rule: 'token-not-refused', operationId: 'getCard', severity: 'error' }),
    );
  });

  test.each([400, 403, 404, 409, 415, 422])(
    "a %i may be the caller's mistake, so it is at most an info",
    async (status) => {
      const { withToken, report } = await caller(answering(CARD_PATH, status));
      for (const path of [NEW_FEES, CARD_PATH]) await withToken(path);
      const { findings } = await report();
      expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    },
  );

  test('the meaning of a 404 considers later exchanges, also across rounds', async () => {
    const { withToken, report } = await caller(answering(NEW_FEES, 404));
    const reason = async () => (await report()).checks.find(({ operationId }) => operationId === 'getCardFees')?.reason;
    await withToken(NEW_FEES);
    expect(await reason()).toContain('the target answers 404 to everything');
    await withToken(CARD_PATH);
    expect(await reason()).toBe('answered 404; look at customerId, clientId, currency');
  });

  test('a 404 against a recording is not a changed status, because the id may be wrong', async () => {
    const recording = {
      file: 'r.yaml',
      text: `overlay: 1.0.0\ninfo: { title: r, version: '1' }\nx-provenance: observed\nactions:\n  - target: $.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses\n    update: { '200': { description: ok } }\n`,
    };
    const { watched, withToken } = await caller({}, { overlays: [recording] });
    await withToken(CARD_PATH);
    await withToken(NEW_FEES);
    await withToken('/wallet/api/customers/c-1/cards/other');
    const rules = (await watched.proxy.report()).findings.map(({ rule }) => rule);
    for (const rule of ['status-changed', 'operation-withdrawn']) expect(rules).not.toContain(rule);
  });

  test('the config can change the severity of recorded facts, with a reason', async () => {
    const reason = 'its type comes and goes';
    const recorded = `overlay: 1.0.0\ninfo: { title: r, version: '1' }\nx-provenance: observed\nactions:
  - target: $.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses
    update: { '200': { description: ok, content: { application/json: { schema: { properties: { cardId: { type: integer } } } } } } }`;
    const { withToken, report } = await caller(
      { bodies: { [`GET ${CARD_PATH}`]: { ...CARD, cardId: 'k-4', cardLimitDaily: '100' } } },
      {
        overlays: [{ file: 'r.yaml', text: recorded }],
        severity: { 'type-contradicted': { severity: 'info', reason } },
      },
    );
    await withToken(CARD_PATH);
    const { findings } = await report();
    const types = findings.filter(({ rule }) => rule === 'type-contradicted');
    expect(types.map(({ severity, pointer }) => `${severity} ${pointer}`).sort()).toEqual([
      'error /cardLimitDaily',
      'info /cardId',
    ]);
    expect(types.find(({ severity }) => severity === 'info')?.message).toContain(reason);
  });
});

describe('unmatched requests', () => {
  test('an unmatched request is a finding with candidates and without the ids of its path', async () => {
    const { watched, withToken } = await caller({
      bodies: { 'GET /wallet/api/customers/c-1/accounts/77-SECRET-4711': { ibanForSwift: 'x' } },
    });
    await withToken('/wallet/api/customers/c-1/accounts/77-SECRET-4711?page=2');
    const { findings } = await watched.proxy.report();
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      rule: 'unmatched-exchange',
      operationId: null,
      method: 'GET',
      path: '/wallet/api/customers/{customerId}/accounts/{id}',
      exchanges: [2],
    });
    expect(findings[0]?.message).toContain('getAccount');
    expect(JSON.stringify(findings)).not.toContain('4711');
  });

  test('an unmatched preflight is not a finding', async () => {
    const { watched, call } = await caller();
    await call('/nowhere', { method: 'OPTIONS' });
    expect((await watched.proxy.report()).findings).toEqual([]);
  });
});

describe('verdict and exit code', () => {
  test('findings fail the run only from the requested severity', async () => {
    const { watched, withToken } = await caller({ bodies: { [`GET ${CARD_PATH}`]: { ...CARD, novel: 1 } } });
    await withToken(CARD_PATH);
    const report = await watched.proxy.report();
    expect(report.findings.map(({ severity }) => severity)).toEqual(['info', 'info']);
    expect([undefined, 'error', 'warning', 'info'].map((from) => exitCodeFor(report, from as 'info'))).toEqual([
      0, 0, 0, 1,
    ]);
  });

  test('D3: a proxy without judged exchanges is inconclusive', async () => {
    const target = await startSandbox();
    const watched = await watch(target.url);
    open(target, watched);
    expect((await watched.proxy.report()).verdict).toBe('inconclusive');
  });
});

describe('a mock as the target', () => {
  test('a mock is recognised by its answers, and assumed facts are at most infos', async () => {
    const mock = await startMock({ anyToken: true });
    const watched = await watch(mock.url);
    open(mock, watched);
    const headers = { authorization: 'Bearer x' };
    await (await fetch(`${watched.proxy.url}/wallet/api/customers/cust-1001/accounts`, { headers })).text();
    const report = await watched.proxy.report();
    expect(report.target.kind).toBe('mock');
    expect(report.findings).toEqual([]);
    expect(report.checks.map(({ operationId }) => operationId)).toEqual(['getListOfAccounts']);
  });

  test('an in-process mock accepts every request', async () => {
    const watched = await watch('mock');
    open(watched);
    const response = await fetch(`${watched.proxy.url}/wallet/api/customers/c/cards/k/suspend`, { method: 'PUT' });
    expect(response.status).toBe(401);
    expect(response.headers.get('x-mock-provenance')).not.toBeNull();
  });
});

test('a finding counts its places and has the facts of a ticket, without data of the caller', async () => {
  const card = { ...CARD, cardLimitDaily: 'much' };
  const list = '/wallet/api/customers/c-1/clients/cl-2/cards?holder=Jane%20Doe';
  const { watched, withToken } = await caller({
    bodies: { [`GET ${list}`]: { cards: [card, card, card] } },
    fault(_, response) {
      response.setHeader('x-request-id', 'bank-1');
      return false;
    },
  });
  for (const times of [1, 2]) {
    await withToken(list);
    const { findings } = await watched.proxy.report();
    const [found] = findings.filter(({ rule }) => rule === 'type-contradicted');
    expect(found?.occurrences).toBe(3 * times);
    expect(found?.ticket).toMatchObject({ requestIds: { 'x-request-id': 'bank-1' } });
    expect(found?.ticket?.curl).toContain('/wallet/api/customers/$CUSTOMER_ID/clients/$CLIENT_ID/cards?holder=$HOLDER');
    expect(JSON.stringify(findings)).not.toMatch(/Jane|Doe|c-1|cl-2/);
  }
});
