import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Scenario } from '../../../generated/mock/control.ts';
import { AUDIT_RULE_IDS } from '../../../src/audit/rules.ts';
import { createTokenProvider } from '../../../src/client/token-provider.ts';
import { withToken } from '../../../src/client/with-token.ts';
import { fetchMockJournal } from '../../../src/drive/live-journal.ts';
import { schemaCheck } from '../../../src/files/schema.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { readHar } from '../../../src/journal/har/read.ts';
import { operationsOf } from '../../../src/mock/control/operations.ts';
import { handlersOf } from '../../../src/mock/control/routes.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { ask, type Told } from '../support/ask.ts';
import { askToken, basic, bearer, type Reply, send } from '../support/client.ts';
import { control } from '../support/control.ts';
import { mockOfFile } from '../support/started.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const CARDS = '/wallet/api/customers/cust-1001/cards';
const mock = await mockOfFile();
/** Calls the control API without a socket. */
const quick = (method: string, path: string, body?: unknown): Promise<Told> =>
  ask(mock, method, `/__mock${path}`, body);

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  readonly components: object;
}
const document = parse(readFileSync(join(packageRoot, 'mocks/control.openapi.yaml'), 'utf8')) as Document;

async function card(authorization?: string): Promise<Reply> {
  return send(mock, { path: CARD, headers: { authorization: authorization ?? (await bearer(mock)) } });
}

describe('the document of the control API', () => {
  test('the document of the control API lists exactly its routes', () => {
    const served = handlersOf({ memory: { remembered: {} }, tokens: {} } as never);
    const described = operationsOf(document).operations.map(({ operationId }) => operationId);
    expect([...Object.keys(served), 'getEvents', 'getPage'].sort()).toEqual(described.sort());
  });

  test('the document of the control API describes its answers', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', ...document });
    await card();
    await card('Bearer nothing');
    for (const path of [
      '/health',
      '/clock',
      '/scenarios',
      '/scenarios/active',
      '/tokens',
      '/why',
      '/webhooks',
      '/webhooks/deliveries',
    ]) {
      const { responses } = document.paths[`/__mock${path}`]?.get ?? { responses: {} };
      const response = responses['200'] as { $ref?: string };
      const pointer = response.$ref?.slice(1) ?? `/paths/${`/__mock${path}`.replaceAll('/', '~1')}/get/responses/200`;
      const validate = ajv.compile({ $ref: `doc#${pointer}/content/application~1json/schema` });
      const reply = await control(mock, 'GET', path);
      expect([path, reply.status, validate(reply.json()), validate.errors]).toEqual([path, 200, true, null]);
    }
  });
});

describe('H3: access to the control API', () => {
  test('the control API rejects a foreign Host on every route', async () => {
    expect((await control(mock, 'GET', '/health', undefined, { host: 'evil.example' })).status).toBe(421);
    expect((await control(mock, 'POST', '/reset', undefined, { host: `evil.example:${mock.port}` })).status).toBe(421);
  });

  test('pages of another origin are rejected, even from another local port, and get no CORS header', async () => {
    for (const origin of [
      'http://evil.example',
      'http://localhost:5173',
      'null',
      `http://127.0.0.1.evil.example:${mock.port}`,
    ]) {
      for (const method of ['GET', 'DELETE']) {
        const reply = await control(mock, method, '/journal', undefined, {
          origin,
          'x-mock-control-token': mock.controlToken,
        });
        expect([origin, reply.status]).toEqual([origin, 403]);
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
    const preflight = await control(mock, 'OPTIONS', '/reset', undefined, {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
    expect((await control(mock, 'GET', '/journal', undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test("the page of the mock may read, but needs the start's token to change something", async () => {
    const own = { origin: `http://127.0.0.1:${mock.port}`, host: `127.0.0.1:${mock.port}` };
    expect((await control(mock, 'GET', '/health', undefined, own)).status).toBe(200);
    expect((await control(mock, 'POST', '/reset', undefined, own)).status).toBe(403);
    expect((await control(mock, 'POST', '/reset', undefined, { ...own, 'x-mock-control-token': 'x' })).status).toBe(
      403,
    );
    expect(
      (await control(mock, 'POST', '/reset', undefined, { ...own, 'x-mock-control-token': mock.controlToken })).status,
    ).toBe(204);
  });

  test('a script on loopback needs no control token', async () => {
    expect((await control(mock, 'POST', '/reset')).status).toBe(204);
  });

  test('beyond loopback every change needs the control token', async () => {
    await using open = await startMock({ host: '0.0.0.0' });
    const reset = (headers = {}): Promise<Reply> => send(open, { method: 'POST', path: '/__mock/reset', headers });
    expect((await reset()).status).toBe(403);
    expect((await reset({ 'x-mock-control-token': open.controlToken })).status).toBe(204);
    expect((await send(open, { path: '/__mock/health' })).status).toBe(200);
    expect(open.controlToken).not.toBe(mock.controlToken);
  });

  test('a GET changes nothing, and a body that an HTML form could send is rejected', async () => {
    expect((await control(mock, 'GET', '/reset')).status).toBe(405);
    expect((await control(mock, 'GET', '/reset')).headers.allow).toBe('POST, OPTIONS');
    const form = { 'content-type': 'text/plain' };
    expect((await control(mock, 'POST', '/clock/advance', { seconds: 9 }, form)).status).toBe(415);
    expect(mock.clock.moved).toBe(false);
  });

  test('an invalid control request is a 4xx, never a fault', async () => {
    expect((await control(mock, 'GET', '/nowhere')).status).toBe(404);
    expect((await control(mock, 'GET', '')).status).toBe(308);
    expect((await control(mock, 'DELETE', '/scenarios/active/%ZZ')).status).toBe(404);
    for (const body of [null, [], 'x', { seconds: 'x' }, { secs: 1 }, { seconds: 1e300 }, { __proto__: null }]) {
      const reply = await control(mock, 'POST', '/clock/advance', body);
      expect([body, reply.status]).toEqual([body, 422]);
      expect(reply.headers['content-type']).toBe('application/problem+json');
    }
    expect((await send(mock, { path: '/__mocks/health' })).status).toBe(404);
  });
});

describe('M5, M6: the 401 situations, driven through the control API by the token client', () => {
  const calls = async (prepare: () => Promise<unknown>): Promise<{ status: number; tokens: number }> => {
    const provider = createTokenProvider({ baseUrl: mock.url, ...mock.credentials });
    const fetchCard = withToken(fetch, provider);
    expect((await fetchCard(`${mock.url}${CARD}`)).status).toBe(200);
    const before = mock.tokens.requests;
    await prepare();
    const { status } = await fetchCard(`${mock.url}${CARD}`);
    return { status, tokens: mock.tokens.requests - before };
  };

  test.each([
    ['every token expired', '/tokens/expire', {}, 200, 1],
    ['every token revoked', '/tokens/revoke', {}, 200, 1],
    ['one refusal', '/tokens/refuse-next', { count: 1 }, 200, 1],
    ['two refusals', '/tokens/refuse-next', { count: 2 }, 401, 1],
    ['an hour that passes', '/clock/advance', { seconds: 3_600 }, 200, 1],
    ['a scenario', '/scenarios/active', { name: 'unauthorized-always' }, 401, 1],
  ])('%s', async (_, path, body, status, tokens) => {
    expect(await calls(() => control(mock, 'POST', path, body))).toEqual({ status, tokens });
  });

  test('one of several tokens is revoked by its jti, and no list shows a token', async () => {
    const [one, two] = [await bearer(mock), await bearer(mock)];
    const { tokens } = (await quick('GET', '/tokens')).body;
    expect((await quick('POST', '/tokens/revoke', { jti: tokens[1].jti })).status).toBe(204);
    expect([(await card(one)).status, (await card(two)).status]).toEqual([401, 200]);
    const { text } = await quick('GET', '/tokens');
    expect(text).toContain('"state":"revoked"');
    for (const authorization of [one, two]) expect(text).not.toContain(authorization.slice(-20));
    expect((await quick('POST', '/tokens/expire', { jti: 'none' })).status).toBe(404);
  });
});

describe('scenarios through the control API', () => {
  const activate = (body: object): Promise<Told> => quick('POST', '/scenarios/active', body);

  test('scenarios are listed, activated, shown and deactivated', async () => {
    const listed = (await quick('GET', '/scenarios')).body.scenarios as Scenario[];
    expect(listed.slice(0, 2).map(({ name }) => name)).toEqual(['unauthorized-once', 'server-down']);
    const rest = listed.slice(8).map(({ name }) => name);
    expect(rest).toEqual([...rest].sort());
    expect(listed.filter(({ description }) => description === null)).toEqual([]);
    const rules: readonly string[] = AUDIT_RULE_IDS;
    const exercised = listed.flatMap(({ exercises }) => exercises);
    expect(exercised).toContain('rate-limit-ignored');
    expect(exercised.filter((rule) => !rules.includes(rule))).toEqual([]);
    const { id } = (await activate({ name: 'gateway-page' })).body;
    expect((await card('x')).status).toBe(502);
    expect((await quick('GET', '/health')).body.scenarios).toEqual(['gateway-page']);
    expect((await quick('DELETE', `/scenarios/active/${id}`)).status).toBe(204);
    expect((await quick('DELETE', `/scenarios/active/${id}`)).status).toBe(404);
    expect((await card()).status).toBe(200);
  });

  test('scenario definitions are accepted and checked', async () => {
    const definition = { name: 'mine', rules: [{ answer: { status: 418 } }] };
    expect((await activate({ definition })).status).toBe(201);
    expect((await card()).status).toBe(418);
    const wrong = await activate({ definition: { name: 'x', rules: [{ fault: { kind: 'bang' } }] } });
    expect(wrong.body).toMatchObject({ status: 422, errors: [{ pointer: '/rules/0/fault/kind' }] });
    expect((await activate({ name: 'a', definition })).status).toBe(422);
    expect((await activate({ name: 'nope' })).status).toBe(422);
    await quick('DELETE', '/scenarios/active');
    expect((await card()).status).toBe(200);
  });
});

describe('the journal', () => {
  test("M16: the control API's journal is redacted NDJSON of the published schema, ready for the audit", async () => {
    const authorization = await bearer(mock);
    await card(authorization);
    await quick('GET', '/health');
    const { entries, now } = await fetchMockJournal(mock.url);
    expect(Math.abs(now - mock.clock.now())).toBeLessThan(60_000);
    expect(entries).toMatchObject([
      { operationId: 'getToken', response: { status: 200 } },
      { operationId: 'getCard', response: { status: 200 } },
    ]);
    const { text, headers } = await quick('GET', '/journal');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    for (const secret of [authorization.slice(-20), mock.credentials.password, basic('sandbox', 'sandbox-secret')])
      expect(text).not.toContain(secret);
    const check = await schemaCheck('journal');
    for (const entry of mock.journal.entries()) expect(check(entry)).toEqual([]);
  });

  test('the journal can be filtered', async () => {
    await card();
    await card('Bearer x');
    await send(mock, { path: '/nowhere' });
    const [first] = mock.journal.entries();
    for (const [query, statuses] of [
      ['status=4xx', [401, 404]],
      ['status=401', [401]],
      ['operationId=getCard', [200, 401]],
      ['method=post', [200]],
      ['path=nowhere', [404]],
      ['limit=1', [404]],
      [`since=${first?.seq}`, [200, 401, 404]],
    ] as const) {
      const { entries } = (await quick('GET', `/journal?format=json&${query}`)).body;
      expect([query, entries.map((entry: JournalEntry) => entry.response?.status)]).toEqual([query, statuses]);
    }
    expect((await quick('GET', '/journal?status=bad')).status).toBe(422);
    expect((await quick('GET', '/journal?limit=-1')).status).toBe(422);
    expect((await quick('DELETE', '/journal')).status).toBe(204);
    expect(mock.journal.entries()).toEqual([]);
  });

  test('the journal exports a HAR capture that our own reader accepts', async () => {
    await card();
    const file = join(tmpdir(), `control-${process.pid}.har`);
    writeFileSync(file, (await quick('GET', '/journal?format=har')).text);
    const { entries, baseUrl } = await readHar(file, await mock.contract());
    expect(entries.map(({ operationId }) => operationId)).toEqual(['getToken', 'getCard']);
    expect(baseUrl).toBe(mock.url);
  });

  test('the journal shows every body that the mock accepts, however large', async () => {
    await ask(mock, 'POST', CARDS, { alias: 'x'.repeat(1_000_000) });
    expect(mock.journal.entries().at(-1)?.request.body).toMatchObject({ kind: 'json', bytes: 1_000_012 });
  });

  test('the journal keeps the newest exchanges, up to its limit', async () => {
    for (let round = 0; round < 1_050; round += 1) await ask(mock, 'GET', CARD);
    const entries = mock.journal.entries();
    expect([entries.length, (entries.at(-1)?.seq ?? 0) - (entries[0]?.seq ?? 0)]).toEqual([1_000, 999]);
    expect((await quick('GET', '/journal?format=json&limit=0')).body).toMatchObject({ forgotten: 50 });
  });

  test('the journal records a connection reset by a scenario as unanswered', async () => {
    const authorization = await bearer(mock);
    using _ = await mock.scenario('connection-reset');
    await expect(card(authorization)).rejects.toThrow();
    expect(mock.journal.entries().at(-1)).toMatchObject({ response: null, failure: { kind: 'reset' } });
  });
});

describe('the explanation of a rejection', () => {
  const why = async (query = '') => (await quick('GET', `/why${query}`)).body;

  test('the explanation names the rule, the place and a request that would pass', async () => {
    await card('Bearer x');
    expect(await why()).toMatchObject({
      status: 401,
      rule: 'token-refused',
      step: 'token',
      operationId: 'getCard',
      where: [{ in: 'header', name: 'authorization' }],
      wouldPass: expect.stringContaining('issued since it started'),
      reference: 'RFC 6750, 3',
      example: expect.stringContaining(`${mock.url}${CARD}`),
    });
  });

  test('the explanation names the pointers of a body, and the methods of a path', async () => {
    const headers = { authorization: await bearer(mock) };
    await ask(mock, 'POST', CARDS, { cardLimitDaily: 'x' }, headers);
    expect(await why()).toMatchObject({ rule: 'invalid-body', where: [{ in: 'body', pointer: '/cardLimitDaily' }] });
    await ask(mock, 'POST', CARD, undefined, headers);
    expect(await why()).toMatchObject({ rule: 'method-not-allowed', wouldPass: expect.stringContaining('GET') });
    await askToken(mock, { body: 'grant_type=password' });
    expect(await why()).toMatchObject({ rule: 'unsupported_grant_type', operationId: 'getToken' });
  });

  test('the explanation suggests an existing id for an unknown one, and the repair with it works', async () => {
    const headers = { authorization: await bearer(mock) };
    await ask(mock, 'GET', `${CARDS}/card-401?page=1`, undefined, headers);
    const { existing, example, repair, ...told } = await why();
    const passes = `${CARDS}/${existing[0]}?page=1`;
    expect(told).toMatchObject({ rule: 'not-found', step: 'behaviour', wouldPass: `GET ${passes}` });
    expect(repair).toEqual({ method: 'GET', path: passes });
    expect(example).toContain(`'${mock.url}${passes}'`);
    expect((await ask(mock, 'GET', passes, undefined, headers)).status).toBe(200);
  });

  test('the explanation names the active scenario, and explains an older request on demand', async () => {
    await card('Bearer x');
    const refused = mock.journal.entries().at(-1);
    using _ = await mock.scenario('rate-limited-always');
    await card();
    expect(await why()).toMatchObject({ rule: 'scenario', scenarios: ['rate-limited-always'], status: 429 });
    expect(await why(`?seq=${refused?.seq}`)).toMatchObject({ rule: 'token-refused', scenarios: [] });
  });

  test('the explanation is 404 if no request was rejected', async () => {
    await card();
    expect(await why()).toMatchObject({ status: 404, detail: expect.stringContaining('no request that was refused') });
    expect(await why('?seq=1')).toMatchObject({ status: 404 });
    expect((await quick('GET', '/why?seq=x')).status).toBe(422);
  });
});

describe('the state through the control API', () => {
  test("the state lists one customer's records by kind, with changes; other customers have the seed", async () => {
    await ask(mock, 'PUT', `${CARD}/suspend`, undefined, { authorization: await bearer(mock) });
    for (const [customer, status] of [
      ['cust-1001', 'SUSPENDED'],
      ['cust-other', 'ACTIVE'],
    ]) {
      const shown = expect.objectContaining({ cardId: 'card-4001', status });
      expect((await quick('GET', `/state?customerId=${customer}`)).body.records.card).toContainEqual(shown);
    }
    expect((await quick('GET', '/state')).status).toBe(422);
  });

  test('a stateless mock has no state route', async () => {
    await using forgetful = await startMock({ listen: false, stateless: true });
    expect((await ask(forgetful, 'GET', '/__mock/state?customerId=c')).status).toBe(404);
    const { paths } = (await ask(forgetful, 'GET', '/__mock/openapi.json')).body;
    expect(paths).not.toHaveProperty('/__mock/state');
    expect(paths).toHaveProperty('/__mock/health');
  });
});

test('reset restores clock, scenarios, refusals, journal and webhooks', async () => {
  await mock.scenario('unauthorized-always');
  mock.clock.advance(99_999);
  mock.refuseNext(5);
  mock.webhook({ url: 'http://127.0.0.1:1/' });
  await card('x');
  expect((await quick('POST', '/reset')).status).toBe(204);
  const fresh = { status: 'ok', notices: [], scenarios: [], exchanges: 0, clock: { moved: false } };
  expect((await quick('GET', '/health')).body).toMatchObject(fresh);
  expect((await quick('GET', '/webhooks')).body).toEqual({
    webhooks: [],
    events: ['card-updated'],
    emitters: { 'card-updated': expect.arrayContaining(['issueNewCard', 'suspendCard']) },
  });
  expect((await card()).status).toBe(200);
});

test('values that the contract marks as secret are masked in the journal and in the state', async () => {
  const text = `overlay: 1.0.0
x-provenance: assumed
info: { title: secret, version: 1.0.0 }
actions:
  - target: "$.components.schemas.Card.properties"
    update: { alias: { type: string, x-secret: true } }
`;
  await using other = await startMock({ listen: false, anyToken: true, overlays: [{ file: 'secret.yaml', text }] });
  const { alias } = (await ask(other, 'GET', CARD)).body;
  expect(alias).toMatch(/./);
  const [entry] = other.journal.entries({ operationId: 'getCard' });
  expect(entry?.response?.body).toMatchObject({ json: { alias: expect.stringMatching(/^\[redacted:/) } });
  const state = await ask(other, 'GET', '/__mock/state?customerId=cust-1001');
  expect(state.text).not.toContain(JSON.stringify(alias));
});

const NOWHERE = `overlay: 1.0.0
info: { title: of a tenant, version: '1' }
x-provenance: observed
actions:
  - target: $.paths['/nowhere'].get
    update: { summary: nothing }
`;

test('health reports problems of the overlays, with their place and fix', async () => {
  await using other = await startMock({ listen: false, overlays: [{ file: 'tenant.yaml', text: NOWHERE }] });
  expect((await ask(other, 'GET', '/__mock/health')).body).toMatchObject({
    status: 'ok',
    problem: null,
    notices: [
      {
        code: 'overlay-target-unmatched',
        message: expect.stringContaining('/nowhere'),
        hint: expect.stringContaining('overlay'),
        file: 'tenant.yaml',
        line: 5,
      },
    ],
  });
});
