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
    breaker: createBreaker({ dead: 10_000, clock: Date.now }),
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

test('trouble that stays is tried a few times, and is one call that failed', async () => {
  const { tokens, calls, sent } = rig([{ status: 503 }]);
  await expect(tokens.get()).rejects.toThrow('The token endpoint answered 503');
  expect([sent(), calls.length]).toEqual([3, 1]);
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
