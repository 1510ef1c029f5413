import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call, CallRequest } from '../../src/model/call.ts';
import type { AnnouncedCall, AnnouncedCheck } from '../../src/run/announce.ts';
import { type Gateway, startGateway } from '../../src/run/gateway.ts';
import { RUN_HEADERS } from '../../src/run/protocol.ts';
import { call } from '../judge/calls.ts';

const TOKEN = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.c2lnbmF0dXJl`;
const asked: CallRequest[] = [];
const calls: Call[] = [];
let gateway: Gateway;

const announced: AnnouncedCall = {
  operationId: 'getToken',
  effect: 'read',
  purpose: 'succeed',
  auth: 'client',
  method: 'POST',
  path: '/iam/oauth/token',
  target: '/iam/oauth/token',
  headers: [['accept', 'application/json']],
  body: Buffer.from('grant_type=client_credentials'),
  parameters: {},
  times: 2,
};
const check: AnnouncedCheck = { id: 'a.check', operationId: 'getToken', kind: 'any', calls: [announced], skip: null };
const checks: readonly AnnouncedCheck[] = [check, { ...check, id: 'a.skipped.one', skip: { kind: 'needs-probe' } }];

beforeAll(async () => {
  gateway = await startGateway({
    checks: new Map(checks.map((one) => [one.id, one])),
    session: {
      calls,
      target: { mock: null },
      async makeCall(request) {
        asked.push(request);
        const made = call('getToken', { json: { access_token: TOKEN } }, { checkId: request.checkId });
        const [attempt] = made.attempts;
        const answered: Call = {
          ...made,
          attempts:
            attempt === undefined ? [] : [{ ...attempt, token: { value: TOKEN, issuedAt: null, expiresIn: null } }],
        };
        calls.push(answered);
        return answered;
      },
    },
  });
});
afterAll(() => gateway[Symbol.asyncDispose]());

function ask(path: string, init: { headers?: Record<string, string>; body?: string } = {}): Promise<Response> {
  const headers = { [RUN_HEADERS.key]: gateway.key, ...init.headers };
  return fetch(`${gateway.url}/${path}`, { method: 'POST', ...init, headers });
}

test('nobody without the key of the run gets anything done', async () => {
  for (const key of ['', 'x'.repeat(gateway.key.length), `${gateway.key}x`]) {
    for (const path of ['a.check/begin', 'a.check/call/0', 'a.check/attempts']) {
      expect((await ask(path, { headers: { [RUN_HEADERS.key]: key } })).status).toBe(403);
    }
  }
  expect(asked).toEqual([]);
});

test('a call is made as it was announced, whatever the suite sends, and no token comes back', async () => {
  const response = await ask('a.check/call/0', {
    headers: {
      authorization: 'Basic c3VpdGU6c3VpdGU=',
      cookie: 'a=b',
      accept: 'text/html',
      'content-type': 'text/plain',
    },
    body: 'grant_type=password',
  });
  const { access_token } = (await response.json()) as { access_token: string };
  expect(asked).toEqual([{ ...announced, checkId: 'a.check' }]);
  expect(access_token).not.toContain(TOKEN.split('.')[2]);
  expect(access_token).toMatch(/^[x.]+$/);
  expect(access_token.split('.').map(({ length }) => length)).toEqual(TOKEN.split('.').map(({ length }) => length));
});

test('attempts are told with a pseudonym of the token', async () => {
  const text = await (await ask('a.check/attempts')).text();
  expect(JSON.parse(text)).toEqual([
    { operationId: 'getToken', status: 200, tokenId: expect.stringMatching(/^[\w-]{12}$/) },
  ]);
  expect(text).not.toContain(TOKEN);
});

test('what was not announced is refused: another check, another call, more calls, those of a skipped check', async () => {
  expect((await ask('a.check/call/0')).status).toBe(200);
  const before = asked.length;
  for (const [path, why] of [
    ['a.check/call/0', 'check a.check announces call 0 2 times only'],
    ['a.check/call/1', 'check a.check announces no call 1'],
    ['a.check/call/x', 'check a.check announces no call x'],
    ['another.check/call/0', 'no check another.check was announced'],
    ['a.skipped.one/call/0', 'check a.skipped.one announces no call 0'],
    ['a.check/steal', 'steal is nothing to ask for'],
    ['a.check/mock/revoke', 'mock is nothing to ask for'],
  ] as const) {
    const { status, headers } = await ask(path);
    expect([status, decodeURIComponent(headers.get(RUN_HEADERS.refused) ?? '')]).toEqual([403, why]);
  }
  expect(asked).toHaveLength(before);
});
