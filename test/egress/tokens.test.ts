import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBreaker } from '../../src/egress/breaker.ts';
import { createWaitBudget } from '../../src/egress/retry.ts';
import { createTokens } from '../../src/egress/tokens.ts';
import type { Call } from '../../src/model/call.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../../src/net/settings.ts';
import { type AnswerSpec, exchange } from '../judge/calls.ts';

const AT_ONCE: AnswerSpec = { status: 503, headers: [['retry-after', '0']] };
const SILENCE: AnswerSpec = { failure: 'first-byte-timeout' };
const TOKEN: AnswerSpec = { json: { access_token: 'opaque-token', token_type: 'bearer', expires_in: 3599 } };

/** Tokens from an endpoint that returns these answers in turn and then repeats the last one. */
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
    ready: undefined,
    egress: { rate: null, send, close: async () => {} },
    breaker: createBreaker({ dead: 10_000, reads: [] }),
    wait: createWaitBudget(50, Date.now),
    timeouts: { ...DEFAULT_TIMEOUTS, dead, firstByte: dead },
    limits: { ...DEFAULT_LIMITS, backoff: 1 },
    random: () => 0.5,
    clock: Date.now,
    signal: new AbortController().signal,
    operationId: 'getToken',
    tokenPath: '/iam/oauth/token',
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
])('D2: a transient failure of the token endpoint (%s) is retried within one call', async (_name, trouble) => {
  const { tokens, calls } = rig([trouble, TOKEN]);
  await tokens.get();
  expect(calls.map(({ attempts }) => attempts.length)).toEqual([2]);
});

test.each<[string, AnswerSpec, number | undefined, string, [number, number]]>([
  ['a lasting failure, until the time limit of a dead target', { status: 503 }, 0.5, 'answered 503', [4, 1000]],
  ['an endpoint that always asks for an immediate retry, at our own pace', AT_ONCE, 0.3, 'answered 503', [4, 39]],
  ['an unknown host name, for a shorter time', { failure: 'dns' }, undefined, 'dns', [3, 3]],
  ['silence, until the time limit of a dead target', SILENCE, 0.05, 'first-byte-timeout', [1, 1]],
  ['wrong credentials, once', { status: 401, json: { error: 'invalid_client' } }, undefined, '', [1, 1]],
  ['an invalid token response, once', { json: {} }, undefined, '', [1, 1]],
  [
    'a Retry-After beyond the budget, once',
    { status: 503, headers: [['retry-after', '100']] },
    undefined,
    'The token endpoint answered 503; a run waits at most 0.05 s in total (timeouts.retryAfter)',
    [1, 1],
  ],
])('the token client tries %s, and records one call', async (_name, answer, dead, message, [least, most]) => {
  const { tokens, calls, sent } = rig([answer], dead);
  await expect(tokens.get()).rejects.toThrow(message);
  expect(sent()).toBeGreaterThanOrEqual(least);
  expect(sent()).toBeLessThanOrEqual(most);
  expect(calls).toHaveLength(1);
});

test('the token endpoint gets more retries than other operations', async () => {
  const { tokens, calls } = rig([...Array.from({ length: 6 }, (): AnswerSpec => ({ status: 503 })), TOKEN]);
  await tokens.get();
  expect(calls.map(({ attempts }) => attempts.length)).toEqual([7]);
});

test('a success without a token is not retried, and the run continues without a token', async () => {
  const { tokens, sent } = rig([{ json: { status: 'maintenance' } }]);
  await expect(tokens.get()).rejects.toThrow();
  await expect(tokens.get()).rejects.toThrow();
  expect([sent(), tokens.isLost]).toEqual([1, true]);
});
