import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Breaker, createBreaker } from '../../src/egress/breaker.ts';
import { createCaller } from '../../src/egress/caller.ts';
import { NotSent, type OutgoingRequest, type Way } from '../../src/egress/egress.ts';
import { createWaitBudget } from '../../src/egress/retry.ts';
import type { Tokens } from '../../src/egress/tokens.ts';
import type { Call, CallRequest } from '../../src/model/call.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../../src/net/settings.ts';
import { type AnswerSpec, exchange } from '../judge/calls.ts';

const REQUEST: CallRequest = {
  checkId: 'c',
  operationId: 'getCard',
  effect: 'read',
  purpose: 'succeed',
  auth: 'garbage',
  method: 'GET',
  target: '/x',
  headers: [],
  body: null,
  parameters: {},
};
const WRITE = { ...REQUEST, effect: 'write', method: 'POST' } as const;

/** Returns these tokens one after another; throws the errors among them. */
function tokensOf(...given: readonly (string | Error)[]): Tokens {
  let current = 0;
  return {
    async get() {
      const token = given[current] ?? '';
      if (token instanceof Error) throw token;
      return { value: token, expiresIn: null, scope: null } as unknown as Awaited<ReturnType<Tokens['get']>>;
    },
    isLost: false,
    invalidate() {
      current += 1;
    },
    dress: (call, token) =>
      token === null ? call : { ...call, headers: [...call.headers, ['authorization', `Bearer ${token.value}`]] },
  };
}

/** A caller whose network returns these answers in turn and then repeats the last one, or an answer per request. */
function rig(
  answers: readonly AnswerSpec[] | ((request: OutgoingRequest) => AnswerSpec),
  over: {
    budget?: number;
    rate?: number;
    breaker?: Breaker;
    tokens?: Partial<Tokens>;
    reads?: readonly CallRequest[];
  } = {},
) {
  const sent: OutgoingRequest[] = [];
  const calls: Call[] = [];
  const breaker = over.breaker ?? createBreaker({ dead: 10_000, reads: over.reads ?? [] });
  const send = async (request: OutgoingRequest): Promise<Exchange> => {
    sent.push(request);
    const answer =
      typeof answers === 'function' ? answers(request) : (answers[Math.min(sent.length, answers.length) - 1] ?? {});
    return exchange(request.operationId, { ...answer, method: request.method });
  };
  const way: Way = {
    egress: { rate: over.rate ?? null, send, close: async () => {} },
    breaker,
    wait: createWaitBudget(over.budget ?? 50, Date.now),
    limits: { ...DEFAULT_LIMITS, backoff: 1 },
    timeouts: { ...DEFAULT_TIMEOUTS, firstByte: 0.05, dead: 0.1 },
    clock: Date.now,
    random: () => 0.5,
    signal: new AbortController().signal,
    onCall: (call) => calls.push(call),
  };
  const call = createCaller(way, { ...tokensOf('one'), ...over.tokens });
  const statuses = (call: Call) => call.attempts.map(({ response, failure }) => response?.status ?? failure?.kind);
  return { caller: { call }, sent, calls, breaker, statuses };
}

describe('D2: retries of a call', () => {
  const HTML: AnswerSpec = { type: 'text/html', text: '<html>' };
  const weather: readonly AnswerSpec[] = [{ status: 503 }, { status: 429 }, { failure: 'reset' }, HTML];

  test.each(weather)(
    'a call retries a transient failure (%j) up to its limit, and stops at a good answer',
    async (answer) => {
      const lasting = rig([answer]);
      expect((await lasting.caller.call(REQUEST)).attempts).toHaveLength(3);
      expect(lasting.calls).toHaveLength(1);
      const passing = rig([answer, { json: {} }]);
      expect((await passing.caller.call(REQUEST)).attempts).toHaveLength(2);
    },
  );

  test.each(['first-byte-timeout', 'call-timeout'] as const)(
    'a call retries silence (%s) once; then checks do not call the operation again',
    async (failure) => {
      const { caller, statuses, sent } = rig([{ failure }]);
      expect(statuses(await caller.call(REQUEST))).toHaveLength(2);
      for (const purpose of ['succeed', 'refuse-token'] as const) {
        expect(await caller.call({ ...REQUEST, purpose })).toMatchObject({
          attempts: [],
          notSent: 'getCard gave no whole answer in time 2 times in a row and is not asked again',
        });
      }
      expect(sent).toHaveLength(2);
      expect(statuses(await caller.call({ ...REQUEST, operationId: 'getCardFees' }))).toHaveLength(2);
    },
  );

  test('the end of the run confirms a silent operation once more, and an answer lets checks call it again', async () => {
    const silence = { failure: 'first-byte-timeout' } as const;
    const { caller, statuses } = rig([silence, silence, silence, { json: {} }]);
    await caller.call(REQUEST);
    expect(statuses(await caller.call({ ...REQUEST, checkId: null }))).toEqual(['first-byte-timeout']);
    expect(statuses(await caller.call({ ...REQUEST, checkId: null }))).toEqual([200]);
    expect(statuses(await caller.call(REQUEST))).toEqual([200]);
  });

  test('silence to requests that must be rejected does not stop good requests', async () => {
    const { caller, statuses } = rig(({ purpose }) =>
      purpose === 'succeed' ? { json: {} } : { failure: 'first-byte-timeout' },
    );
    const bad = { ...REQUEST, purpose: 'refuse-token', auth: 'none' } as const;
    expect(statuses(await caller.call(bad))).toHaveLength(2);
    expect(statuses(await caller.call(bad))).toEqual([]);
    expect(statuses(await caller.call(REQUEST))).toEqual([200]);
  });

  test('an operation that hangs now and then is still called', async () => {
    const hang = { failure: 'first-byte-timeout' } as const;
    const { caller, statuses } = rig([hang, { json: {} }, hang, { json: {} }]);
    for (const _ of [1, 2]) expect(statuses(await caller.call(REQUEST))).toEqual(['first-byte-timeout', 200]);
  });

  test('a page in place of a rejection is not retried, and does not count against the service', async () => {
    const { caller, statuses, breaker } = rig([HTML]);
    for (const operationId of ['getCard', 'getCardFees', 'getAccountFees', 'getTransactionFees']) {
      const open = { ...REQUEST, operationId, purpose: 'refuse-token', auth: 'none' } as const;
      expect(statuses(await caller.call(open))).toEqual([200]);
    }
    expect(breaker.open).toBe(null);
  });

  test('a call retries a missing read once, and uses the second answer', async () => {
    const { caller, statuses } = rig([{ status: 404 }, { json: {} }]);
    expect(statuses(await caller.call(REQUEST))).toEqual([404, 200]);
  });
});

const of = (...statuses: readonly number[]): AnswerSpec[] => statuses.map((status) => ({ status }));
const PUT = { ...WRITE, method: 'PUT' };
const DELETE = { ...WRITE, method: 'DELETE', effect: 'destructive' } as const;

test.each<[string, readonly AnswerSpec[], readonly CallRequest[], number]>([
  ['D2: a clear answer is not retried', of(200, 204, 301, 400, 401, 403, 409, 422), [REQUEST], 1],
  ['D2: a missing read is retried once', of(404, 405, 410), [REQUEST], 2],
  ['D2: a write to a missing resource is sent once', of(404, 405, 410), [WRITE, PUT], 1],
  ['D2: a request that must be rejected is sent once', of(404, 410), [{ ...REQUEST, purpose: 'refuse-token' }], 1],
  [
    'D2: a POST declared as a read is retried like a read',
    [...of(500, 502), { failure: 'reset' }],
    [{ ...REQUEST, method: 'POST' }],
    3,
  ],
  ['D2: a removal by the run is retried', of(500), [{ ...DELETE, checkId: null, purpose: 'clean-up' }], 3],
  ['D2: a call that provokes our own client is sent once', of(500), [{ ...REQUEST, purpose: 'provoke-client' }], 1],
  [
    'S24: a write that may have been processed is sent once',
    [...of(500, 502), { failure: 'reset' }, { failure: 'first-byte-timeout' }],
    [WRITE, PUT, DELETE],
    1,
  ],
  [
    'S24: a write that was certainly not processed is retried',
    [...of(429), { failure: 'refused' }, { failure: 'connect-timeout' }],
    [WRITE],
    3,
  ],
])('%s', async (_, answers, requests, tries) => {
  for (const answer of answers) {
    for (const request of requests) {
      const { caller, sent } = rig([answer]);
      await caller.call(request);
      expect(sent, JSON.stringify(answer)).toHaveLength(tries);
    }
  }
});

describe('D7: Retry-After', () => {
  const busy = (seconds: string): AnswerSpec => ({ status: 429, headers: [['retry-after', seconds]] });

  test.each([
    ["obeyed within the run's budget", [busy('0'), busy('0'), { json: {} }], [429, 429, 200]],
    ['given up at once beyond the budget', [busy('3600'), { json: {} }], [429]],
  ])('a Retry-After is %s', async (_, answers, wanted) => {
    const { caller, statuses } = rig(answers);
    expect(statuses(await caller.call(REQUEST))).toEqual(wanted);
  });

  test('parallel waits count once, successive waits add up', async () => {
    const wait = createWaitBudget(100, () => 1000);
    const stop = new AbortController().signal;
    expect(await Promise.all([wait(60, stop), wait(60, stop), wait(60, stop)])).toEqual([null, null, null]);
    let now = 0;
    const waitLater = createWaitBudget(100, () => now);
    expect(await waitLater(60, stop)).toBe(null);
    now = 60;
    expect(await waitLater(60, stop)).toBe('a run waits at most 0.1 s in total (timeouts.retryAfter)');
    expect(await waitLater(40, stop)).toBe(null);
  });

  test('an operation with a Retry-After is not called by later checks until the time is over', async () => {
    const { caller, sent } = rig([busy('100')]);
    const first = await caller.call(REQUEST);
    expect(first.gaveUp).toBe('a run waits at most 0.05 s in total (timeouts.retryAfter)');
    const second = await caller.call(REQUEST);
    expect([sent.length, second.attempts, second.notSent]).toEqual([
      1,
      [],
      'getCard asked to wait; a run waits at most 0.05 s in total (timeouts.retryAfter)',
    ]);
  });

  test('a target that is busy everywhere ends the run after a few requests, with or without a Retry-After', async () => {
    for (const answer of [busy('100'), { status: 429 }] as const) {
      const { caller, sent, breaker } = rig([answer]);
      for (let count = 0; count < 12; count += 1) await caller.call({ ...REQUEST, operationId: `op${count}` });
      expect(sent.length).toBeLessThanOrEqual(9);
      expect(breaker.open).toMatch(/^the target answers 429 to everything/);
    }
  });

  test('a target that limits the rate gets more tries, because the run is slower by then', async () => {
    const { caller, statuses } = rig([...Array.from({ length: 5 }, () => ({ status: 429 })), { json: {} }], {
      rate: 4,
    });
    expect(statuses(await caller.call(REQUEST))).toEqual([429, 429, 429, 429, 429, 200]);
    expect(statuses(await rig([{ status: 503 }], { rate: 4 }).caller.call(REQUEST))).toEqual([503, 503, 503]);
  });

  test('a Retry-After date is relative to the Date of the answer', async () => {
    const theirs = Date.now() + 3_600_000;
    const headers = [
      ['date', new Date(theirs).toUTCString()],
      ['retry-after', new Date(theirs + 1000).toUTCString()],
    ] as const;
    const { caller, statuses } = rig([{ status: 503, headers }, { json: {} }], { budget: 2000 });
    expect(statuses(await caller.call(REQUEST))).toEqual([503, 200]);
  });

  test('a write that may have been processed is not retried, and the reason is reported', async () => {
    const { caller } = rig([{ status: 503, headers: [['retry-after', '0']] }]);
    expect(await caller.call(WRITE)).toMatchObject({
      attempts: [{}],
      gaveUp: 'the call is not repeated, because it may have been carried out',
    });
  });
});

describe('D2: silent targets', () => {
  const OTHER = { ...REQUEST, operationId: 'getCardFees' };

  test('after silence in one operation another one is probed, and the run continues if it answers', async () => {
    const silence = { failure: 'first-byte-timeout' } as const;
    const { caller, calls, breaker } = rig([{ json: {} }, silence, { json: {} }, silence, { json: {} }], {
      reads: [OTHER],
    });
    await caller.call(OTHER);
    await caller.call(REQUEST);
    expect(breaker.open).toBe(null);
    expect(calls.map(({ operationId, purpose, checkId }) => [operationId, purpose, checkId])).toEqual([
      ['getCardFees', 'succeed', 'c'],
      ['getCardFees', 'liveness', null],
      ['getCardFees', 'liveness', null],
      ['getCard', 'succeed', 'c'],
    ]);
  });

  test('a backend that hangs behind the first read of each service does not end the run', async () => {
    const ids = ['a.1', 'a.2', 'a.3', 'b.1', 'b.2', 'c.1', 'c.2'];
    const reads = ids.map((operationId) => ({ ...REQUEST, operationId }));
    const serviceOf = (id: string): string => `/${id.split('.', 1)[0]}`;
    const hanging = (isHanging: (id: string) => boolean) => {
      const breaker = createBreaker({ dead: 10_000, serviceOf, reads });
      return rig(
        ({ operationId }) => (isHanging(operationId ?? '') ? { failure: 'first-byte-timeout' } : { json: {} }),
        {
          breaker,
        },
      );
    };
    const shared = hanging((id) => id.endsWith('.1'));
    await shared.caller.call({ ...REQUEST, operationId: 'a.1' });
    expect(ids.map((id) => shared.breaker.openFor(id))).toEqual(ids.map(() => null));
    const service = hanging((id) => id.startsWith('a.') || id.endsWith('.1'));
    await service.caller.call({ ...REQUEST, operationId: 'a.2' });
    expect(service.breaker.open).toBe(null);
    expect(service.breaker.openFor('a.3')).toMatch(/^the service \/a does not answer any more/);
    const target = hanging(() => true);
    await target.caller.call({ ...REQUEST, operationId: 'a.1' });
    expect(target.breaker.open).toBe('the target does not answer any more');
    expect(target.sent.length).toBeLessThanOrEqual(7);
  });

  test('an answer to a liveness question counts: the target is not dead', async () => {
    const heard = vi.fn();
    const breaker = { ...createBreaker({ dead: 10_000, reads: [OTHER] }), heard };
    const { caller } = rig([{ failure: 'first-byte-timeout' }, { json: {} }, { failure: 'first-byte-timeout' }], {
      breaker,
    });
    await caller.call({ ...REQUEST, purpose: 'provoke-client' });
    expect(heard).toHaveBeenCalled();
  });
});

describe('the bearer token', () => {
  const bearers = (sent: readonly OutgoingRequest[]) =>
    sent.map(({ headers }) => headers.find(([name]) => name === 'authorization')?.[1]);

  test('a rejected token is not sent again if the endpoint returns the same one', async () => {
    const { caller, sent } = rig([{ status: 401 }], { tokens: tokensOf('one', 'one') });
    await caller.call({ ...REQUEST, auth: 'token' });
    expect(bearers(sent)).toEqual(['Bearer one']);
  });

  test('a request with a new token retries transient failures like any other call', async () => {
    const { caller, sent } = rig([{ status: 401 }, { status: 503 }, { json: {} }], { tokens: tokensOf('one', 'two') });
    await caller.call({ ...REQUEST, auth: 'token' });
    expect(bearers(sent)).toEqual(['Bearer one', 'Bearer two', 'Bearer two']);
  });

  test('if a 401 is followed by a failed token request, the call is not judged', async () => {
    const { caller, breaker } = rig([{ status: 401 }], { tokens: tokensOf('one', new Error('the endpoint is out')) });
    expect(await caller.call({ ...REQUEST, auth: 'token' })).toMatchObject({
      attempts: [{ response: { status: 401 } }],
      notSent: 'no token: the endpoint is out',
    });
    expect(breaker.open).toBe('no token: the endpoint is out');
  });

  test('if the run blocks the token request, the call gives that reason, and the breaker stays closed', async () => {
    const { caller, breaker } = rig([{}], { tokens: tokensOf(new NotSent('the budget is used up')) });
    expect(await caller.call({ ...REQUEST, auth: 'token' })).toMatchObject({ notSent: 'the budget is used up' });
    expect(breaker.open).toBe(null);
  });
});

describe('the breaker', () => {
  afterEach(() => vi.useRealTimers());

  test('the breaker opens after three failing calls without any success, and then blocks all calls', async () => {
    const { caller, sent, breaker } = rig([{ status: 500 }]);
    for (let count = 0; count < 3; count += 1) await caller.call(REQUEST);
    expect(breaker.open).toMatch(/the target answers 500 to everything/);
    const before = sent.length;
    expect(await caller.call(REQUEST)).toMatchObject({ attempts: [], notSent: breaker.open });
    expect(sent).toHaveLength(before);
  });

  const failing = Array.from({ length: 20 }, () => ['getCard', 'bad', '500'] as const);
  const dying = ['getCard', 'getCardFees', 'getCard', 'getCardFees', 'getCard'];

  test.each<[string, readonly Parameters<Breaker['note']>[], string | null]>([
    [
      'the breaker stays closed if one operation fails while others work',
      [...failing.flatMap((one) => [one, ['getCardFees', 'good', ''] as const]), ...failing].map(([...note]) => note),
      null,
    ],
    [
      'the breaker opens if a target goes down during a run',
      [['getCard', 'good', ''], ...dying.map((id): Parameters<Breaker['note']> => [id, 'bad', 'reset'])],
      'the target reset',
    ],
    [
      'the breaker stays closed for a working target that rejects requests',
      failing.map(([id]) => [id, 'alive', '404']),
      null,
    ],
    [
      'the breaker opens for a target that accepts no token',
      failing.map(([id]) => [id, 'unauthorised', 'accepts no token']),
      'the target accepts no token',
    ],
  ])('%s', (_, notes, open) => {
    const breaker = createBreaker({ dead: 10_000, reads: [] });
    for (const note of notes) breaker.note(...note);
    expect(breaker.open).toBe(open);
  });

  test('the breaker stops a failed service, and the run if no other service is left', () => {
    const serviceOf = (id: string): string => `/${id.split('.', 1)[0]}`;
    const reads = ['a.1', 'b.1', 'c.1'].map((operationId) => ({ ...REQUEST, operationId }));
    const breaker = createBreaker({ dead: 10_000, serviceOf, reads });
    for (const id of ['a.1', 'a.1', 'a.2']) breaker.note(id, 'bad', '502');
    expect([breaker.open, breaker.openFor('b.1')]).toEqual([null, null]);
    expect(breaker.openFor('a.9')).toBe('the service /a 502');
    breaker.note('b.1', 'good', '');
    breaker.note('c.1', 'bad', '502');
    expect(breaker.open).toBe(null);
    for (let count = 0; count < 5; count += 1) breaker.note(`b.${count}`, 'bad', '502');
    expect(breaker.open).toBe('the target 502');
  });

  test('the breaker opens by itself if nothing answers in time after the first request', async () => {
    vi.useFakeTimers();
    const breakers = [1, 2, 3].map(() => createBreaker({ dead: 60, reads: [] }));
    const [unasked, silent, alive] = breakers;
    for (const breaker of [silent, alive]) breaker?.asked();
    alive?.heard();
    await vi.advanceTimersByTimeAsync(60);
    expect(breakers.map(({ open }) => open)).toEqual([null, 'the target does not answer', null]);
    expect([unasked?.signal.aborted, silent?.signal.aborted]).toEqual([false, true]);
  });
});
