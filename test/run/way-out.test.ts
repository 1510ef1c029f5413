import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createPolicy, type PolicySettings } from '../../src/egress/policy.ts';
import type { Call, CallRequest } from '../../src/model/call.ts';
import { reasonText } from '../../src/model/reason.ts';
import type { AnnouncedCheck } from '../../src/run/announce.ts';
import { CONTROL, RUN_HEADERS } from '../../src/run/protocol.ts';
import { startWayOut, type WayOut, type WayOutOptions } from '../../src/run/way-out.ts';
import { call } from '../judge/calls.ts';
import { PARAMETERS } from './sandbox.ts';

const TOKEN = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.c2lnbmF0dXJl`;
const PASSWORD = 'pässword "of" the 1st tenant';
const FEES = '/billing/api/customers/c-1/client/cl-2/card/fees/GBP';
const CARDS = '/wallet/api/customers/c-1/cards';

const contract = await loadContract();
const check: AnnouncedCheck = { id: 'own.a.check', operationId: null, kind: 'any', calls: [], skip: null };
const opened: WayOut[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

/** A way out to a target that accepts every request, and the calls made through it. */
async function open(settings: Partial<PolicySettings> = {}, more: Partial<WayOutOptions> = {}) {
  const asked: CallRequest[] = [];
  const calls: Call[] = [];
  const secrets = new Set([PASSWORD, TOKEN]);
  const policy = createPolicy(() => contract, {
    allow: 'read',
    host: 'bank.example',
    writesAllowedOn: ['bank.example'],
    expendable: [],
    probe: false,
    embedded: false,
    mock: false,
    ...settings,
  });
  const target = {
    contract,
    parameters: PARAMETERS,
    filled: () => ({}),
    mock: null,
  } as unknown as WayOutOptions['session']['target'];
  async function makeCall(request: CallRequest): Promise<Call> {
    asked.push(request);
    const answered = call(request.operationId, { json: { access_token: TOKEN, said: PASSWORD } }, request);
    const [attempt] = answered.attempts;
    const token = { value: TOKEN, issuedAt: null, expiresIn: null };
    calls.push({ ...answered, attempts: attempt ? [{ ...attempt, token }] : [] });
    return answered;
  }
  const wayOut = await startWayOut({
    session: { target, policy, nothing: null, calls, secrets, makeCall },
    add: (id) => ({ ...check, id }),
    ...more,
  });
  opened.push(wayOut);
  const base = `${wayOut.url}/${wayOut.open(check)}`;
  return { wayOut, asked, base, send: (path: string, init: RequestInit = {}) => fetch(`${base}${path}`, init) };
}

test('the way out needs its 128-bit segment: a wrong one, an Origin header or a foreign Host gets 403, and nothing is sent', async () => {
  const { wayOut, asked, base, send } = await open();
  expect(wayOut.open({ ...check, id: 'own.another.check' })).toMatch(/^[0-9a-f]{32}$/);
  const wrong = `${wayOut.url}/${'0'.repeat(32)}${FEES}`;
  expect((await fetch(wrong)).status).toBe(403);
  expect((await fetch(`${wayOut.url}${FEES}`)).status).toBe(403);
  expect((await send(FEES, { headers: { origin: 'http://localhost:3000' } })).status).toBe(403);
  expect(await statusWithHost(`${base}${FEES}`, 'bank.example')).toBe(403);
  expect(asked).toEqual([]);
  expect((await send(FEES)).status).toBe(200);
});

function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

describe('requests through the way out', () => {
  test("the target gets Pactum's request, without the segment and the way out's own headers", async () => {
    const { asked, send } = await open();
    await send(`${FEES}?since=2026`, { headers: { 'x-own': 'a', [RUN_HEADERS.asserted]: '200' } });
    const [sent] = asked;
    expect(sent).toMatchObject({
      checkId: check.id,
      operationId: 'getCardFees',
      method: 'GET',
      target: `${FEES}?since=2026`,
      purpose: 'succeed',
      auth: 'token',
      parameters: { customerId: 'c-1', clientId: 'cl-2', currency: 'GBP' },
    });
    const names = sent?.headers.map(([name]) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(['accept', 'x-own']));
    expect(names.filter((name) => /^(?:host|user-agent|x-run-)/.test(name))).toEqual([]);
  });

  test('an empty authorization means no token, and any other value is sent unchanged', async () => {
    const { asked, send } = await open();
    await send(FEES, { headers: { authorization: '', [RUN_HEADERS.asserted]: '401' } });
    await send(FEES, { headers: { authorization: 'Bearer old' } });
    const told = asked.map(({ auth, purpose, headers }) => [auth, purpose, new Map(headers).get('authorization')]);
    expect(told).toEqual([
      ['none', 'refuse-token', undefined],
      ['garbage', 'refuse-token', 'Bearer old'],
    ]);
  });

  test.each([
    ['404', 'refuse-asserted'],
    ['204', 'succeed'],
    ['refused limit', 'refuse-limit'],
  ])('a request with the asserted status %s has the purpose %s', async (asserted, purpose) => {
    const { asked, send } = await open();
    await send(FEES, { headers: { [RUN_HEADERS.asserted]: asserted } });
    expect(asked.map((one) => one.purpose)).toEqual([purpose]);
  });
});

describe('rejected requests', () => {
  test.each([
    ['a write without --allow', 'POST', CARDS, {}, /write calls need --allow write/],
    ['an unfilled parameter', 'GET', `${CARDS}/{cardId}`, {}, /missing parameter cardId/],
    ['an undocumented method', 'POST', FEES, { [RUN_HEADERS.asserted]: '405' }, /need --probe/],
  ])('%s skips the check', async (_, method, path, headers, reason) => {
    const { wayOut, asked, send } = await open();
    expect((await send(path, { method, headers })).status).toBe(403);
    const { held, mistakes } = wayOut.passageOf(check.id);
    expect(held && reasonText(held)).toMatch(reason);
    expect([mistakes, asked]).toEqual([[], []]);
  });

  test.each([
    ['a path of no operation', 'GET', '/nowhere', {}, /no operation of the contract/],
    ['a value of two segments', 'GET', FEES, { [RUN_HEADERS.values]: 'c-1/card%2Ffees' }, /must fill one segment/],
    ['a value that was resolved away', 'GET', FEES, { [RUN_HEADERS.values]: '..' }, /must fill one segment/],
    ['a read that overrides the method', 'GET', FEES, { 'X-HTTP-Method-Override': 'DELETE' }, /second method/],
    ['a query that overrides the method', 'GET', `${FEES}?_method=DELETE`, {}, /second method/],
    ['a write with its own token', 'POST', CARDS, { authorization: 'Bearer x' }, /only a read/],
  ])('%s fails the check', async (_, method, path, headers, message) => {
    const { wayOut, asked, send } = await open({ allow: 'write' });
    const { status } = await send(path, { method, headers });
    const { mistakes } = wayOut.passageOf(check.id);
    expect([status, asked, mistakes.join()]).toEqual([403, [], expect.stringMatching(message)]);
  });

  test('a second identical write fails the check, and another check may send the same write', async () => {
    const { wayOut, asked, send } = await open({ allow: 'write' });
    const init = { method: 'POST', body: '{"a":1}' };
    const statuses = [
      await send(CARDS, init),
      await send(CARDS, { ...init, body: '{"a":2}' }),
      await send(CARDS, init),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403]);
    expect(wayOut.passageOf(check.id).mistakes).toEqual([expect.stringContaining('a write is sent once')]);
    const other = wayOut.open({ ...check, id: 'own.another.check' });
    expect((await fetch(`${wayOut.url}/${other}${CARDS}`, init)).status).toBe(200);
    expect(asked).toHaveLength(3);
    // The engine lists this check's write, yet it is sent once.
    const [, , sent] = asked;
    const listed = { ...check, id: 'listed', calls: sent ? [{ ...sent, path: CARDS, times: 1 }] : [] };
    const third = `${wayOut.url}/${wayOut.open(listed)}${CARDS}`;
    expect([(await fetch(third, init)).status, (await fetch(third, init)).status]).toEqual([200, 403]);
  });

  test('a blocked write is not sent and fails the check', async () => {
    const { wayOut, asked, send } = await open({ allow: 'write' }, { hold: () => 'not in the plan' });
    expect((await send(CARDS, { method: 'POST' })).status).toBe(403);
    expect([asked, wayOut.passageOf(check.id).mistakes]).toEqual([[], [`POST ${CARDS}: not in the plan`]]);
  });
});

describe('values visible to the suite', () => {
  test('the suite gets no credential and no token, but values of the same length and alphabet', async () => {
    const { send } = await open();
    const text = await (await send(FEES)).text();
    const { access_token: token, said } = JSON.parse(text) as { access_token: string; said: string };
    expect([token.length, said]).toEqual([TOKEN.length, 'xxxxxxxx "xx" xxx 0xx xxxxxx']);
    expect(token).toMatch(/^[xX0_-]+\.[xX0_-]+\.[xX0_-]+$/);
    expect(text).not.toContain(TOKEN.split('.')[2]);
  });

  test("errors name the exchange, and list the check's attempts with token pseudonyms", async () => {
    const { base, send } = await open();
    const response = await send(FEES);
    expect(Number(response.headers.get(RUN_HEADERS.exchange))).toBeGreaterThan(0);
    const text = await (await fetch(`${base}${CONTROL}/attempts`, { method: 'POST', body: '{}' })).text();
    expect(JSON.parse(text)).toEqual([
      { operationId: 'getCardFees', status: 200, tokenId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    expect(text).not.toContain(TOKEN);
  });

  test('only a check of the kind mock-only may control the mock', async () => {
    const { base } = await open();
    const init = { method: 'POST', body: '{"action":"revoke"}' };
    expect((await fetch(`${base}${CONTROL}/mock`, init)).status).toBe(500);
  });
});
