import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '../../src/drift/call.ts';
import type { CallRequest } from '../../src/runner/caller.ts';
import { type Gateway, startGateway } from '../../src/runner/gateway.ts';
import { standInFor } from '../../src/runner/stand-in.ts';
import { RUN_HEADERS } from '../../src/runner/suite.ts';
import { loadContract } from '../../src/spec/load.ts';
import { call } from '../drift/calls.ts';

const TOKEN = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.c2lnbmF0dXJl`;
const asked: CallRequest[] = [];
const calls: Call[] = [];
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({
    contract: await loadContract(),
    calls: () => calls,
    mock: null,
    caller: {
      async call(request) {
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
afterAll(() => gateway.close());

const headers = (over: Record<string, string> = {}): Record<string, string> => ({
  [RUN_HEADERS.key]: gateway.key,
  [RUN_HEADERS.check]: 'a.check',
  [RUN_HEADERS.operation]: 'getToken',
  [RUN_HEADERS.purpose]: 'succeed',
  [RUN_HEADERS.auth]: 'client',
  ...over,
});

test('nobody without the key of the run gets anything done', async () => {
  for (const key of ['', 'x'.repeat(gateway.key.length), `${gateway.key}x`]) {
    const response = await fetch(`${gateway.url}/iam/oauth/token`, {
      method: 'POST',
      headers: headers({ [RUN_HEADERS.key]: key }),
    });
    expect(response.status).toBe(403);
    expect((await fetch(`${gateway.url}/__run/attempts/a.check`, { headers: { [RUN_HEADERS.key]: key } })).status).toBe(
      403,
    );
  }
  expect(asked).toEqual([]);
});

test('credentials of the suite do not go on, and no token comes back', async () => {
  const response = await fetch(`${gateway.url}/iam/oauth/token`, {
    method: 'POST',
    headers: headers({ authorization: 'Basic c3VpdGU6c3VpdGU=', cookie: 'a=b', accept: 'application/json' }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  expect(asked.at(-1)?.headers).toEqual([['accept', 'application/json']]);
  expect(access_token).not.toContain(TOKEN.split('.')[2]);
  expect(access_token).toBe(standInFor(TOKEN));
  expect(access_token.split('.').map(({ length }) => length)).toEqual(TOKEN.split('.').map(({ length }) => length));
});

test('attempts are told with a pseudonym of the token', async () => {
  const response = await fetch(`${gateway.url}/__run/attempts/a.check`, {
    headers: { [RUN_HEADERS.key]: gateway.key },
  });
  const text = await response.text();
  expect(JSON.parse(text)).toEqual([
    {
      call: expect.any(Number),
      seq: expect.any(Number),
      operationId: 'getToken',
      status: 200,
      tokenId: expect.stringMatching(/^[\w-]{12}$/),
    },
  ]);
  expect(text).not.toContain(TOKEN);
});

test('what names no operation, purpose or way to authenticate is refused', async () => {
  for (const over of [
    { [RUN_HEADERS.operation]: 'nobody' },
    { [RUN_HEADERS.purpose]: 'steal' },
    { [RUN_HEADERS.auth]: 'root' },
  ]) {
    expect((await fetch(`${gateway.url}/iam/oauth/token`, { method: 'POST', headers: headers(over) })).status).toBe(
      400,
    );
  }
});
