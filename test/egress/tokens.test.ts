import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBreaker } from '../../src/egress/breaker.ts';
import { createWaitBudget } from '../../src/egress/retry.ts';
import { createTokens } from '../../src/egress/tokens.ts';
import type { Call } from '../../src/model/call.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../../src/net/settings.ts';
import { type AnswerSpec, exchange } from '../judge/calls.ts';

const TOKEN: AnswerSpec = { json: { access_token: 'opaque-token', token_type: 'bearer', expires_in: 3599 } };

/** Tokens whose token endpoint gives the answers one after another, the last one for ever. */
function rig(answers: readonly AnswerSpec[], dead: number = DEFAULT_TIMEOUTS.dead) {
  const calls: Call[] = [];
  let sent = 0;
  const send = async (): Promise<ReturnType<typeof exchange>> => {
    sent += 1;
    await setImmediate();
    return exchange('getToken', answers[Math.min(sent, answers.length) - 1] ?? {});
  };
  const tokens = createTokens({
    baseUrl: 'http://127.0.0.1:1',
    username: 'u',
    password: 'p',
    allowInsecure: false,
    egress: { send, close: async () => {} },
    breaker: createBreaker({ dead: 10_000 }),
    wait: createWaitBudget(50, Date.now),
    timeouts: { ...DEFAULT_TIMEOUTS, dead, firstByte: dead },
    limits: { ...DEFAULT_LIMITS, backoff: 1 },
    random: () => 0.5,
    tokenOperation: { operationId: 'getToken', path: '/iam/oauth/token' },
    clientAuthentication: 'basic',
    onCall: (call) => calls.push(call),
  });
  return { tokens, calls, sent: () => sent };
}

test.each<[string, AnswerSpec]>([
  ['503', { status: 503 }],
  ['429 with Retry-After', { status: 429, headers: [['retry-after', '0']] }],
  ['HTML', { type: 'text/html', text: '<html>' }],
  ['half an answer', { text: '{"access_', state: 'truncated' }],
  ['silence', { failure: 'first-byte-timeout' }],
  ['a reset', { failure: 'reset' }],
])('D2: passing trouble of the token endpoint (%s) is got over, as attempts of one call', async (_name, trouble) => {
  const { tokens, calls } = rig([trouble, TOKEN]);
  await tokens.get();
  expect(calls.map(({ attempts }) => attempts.length)).toEqual([2]);
});

test('trouble that stays is asked for as long as a dead target may take, and is one call that failed', async () => {
  const { tokens, calls, sent } = rig([{ status: 503 }], 0.5);
  await expect(tokens.get()).rejects.toThrow('The token endpoint answered 503');
  expect(calls.length).toBe(1);
  expect(sent()).toBeGreaterThan(5);
});

test('an endpoint that is back after more tries than another call has is waited for', async () => {
  const { tokens, calls } = rig([...Array.from({ length: 6 }, (): AnswerSpec => ({ status: 503 })), TOKEN]);
  await tokens.get();
  expect(calls.map(({ attempts }) => attempts.length)).toEqual([7]);
});

test('one that asks to come back at once, on and on, is asked in our own pace and ends in time', async () => {
  const { tokens, sent } = rig([{ status: 503, headers: [['retry-after', '0']] }], 0.3);
  await expect(tokens.get()).rejects.toThrow('The token endpoint answered 503');
  expect(sent()).toBeLessThan(40);
});

test('a name that nobody has is not asked for that long', async () => {
  const { tokens, sent } = rig([{ failure: 'dns' }]);
  await expect(tokens.get()).rejects.toThrow('dns');
  expect(sent()).toBe(3);
});

test('a success without a token is not asked for again, and the run goes on without one', async () => {
  const { tokens, sent } = rig([{ json: { status: 'maintenance' } }]);
  await expect(tokens.get()).rejects.toThrow();
  await expect(tokens.get()).rejects.toThrow();
  expect([sent(), tokens.isLost]).toEqual([1, true]);
});

test('a wait beyond the patience of the run is named', async () => {
  const { tokens, sent } = rig([{ status: 503, headers: [['retry-after', '100']] }]);
  await expect(tokens.get()).rejects.toThrow(
    'The token endpoint answered 503 and asks to wait 100 s; that is longer than a run waits',
  );
  expect(sent()).toBe(1);
});

test('what is no weather is asked once: wrong credentials, a token response that is none', async () => {
  for (const answer of [{ status: 401, json: { error: 'invalid_client' } }, { json: {} }] as const) {
    const { tokens, sent } = rig([answer]);
    await expect(tokens.get()).rejects.toThrow();
    expect(sent()).toBe(1);
  }
});

test('asking takes no longer than a dead target may', async () => {
  const { tokens, sent } = rig([{ failure: 'first-byte-timeout' }], 0.05);
  await expect(tokens.get()).rejects.toThrow('first-byte-timeout');
  expect(sent()).toBe(1);
});
